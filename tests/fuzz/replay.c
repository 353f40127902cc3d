/* Runs a fuzz target over the files and folders named as arguments, without libFuzzer: for compilers that lack it, and
 * to look at one input under a debugger. Arguments that begin with '-' are libFuzzer's and are passed over. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static int replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = 0, capacity = 4096;
    uint8_t *bytes = malloc(capacity);
    while (bytes && !feof(file) && !ferror(file)) {
        size += fread(bytes + size, 1, capacity - size, file);
        if (size == capacity) {
            capacity *= 2;
            uint8_t *grown = realloc(bytes, capacity);
            if (!grown)
                free(bytes);
            bytes = grown;
        }
    }
    int failed = !bytes || ferror(file);
    fclose(file);
    if (failed) {
        fprintf(stderr, "%s: cannot be read\n", path);
    } else {
        /* A copy of the exact size, so that a sanitizer sees a read past the end. */
        uint8_t *exact = malloc(size ? size : 1);
        failed = !exact;
        if (exact) {
            memcpy(exact, bytes, size);
            LLVMFuzzerTestOneInput(exact, size);
        }
        free(exact);
    }
    free(bytes);
    return failed;
}

static int replay(const char *path, int *count)
{
    DIR *folder = opendir(path);
    if (!folder) {
        (*count)++;
        return replay_file(path);
    }
    int failed = 0;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        char child[4096];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(child, sizeof child, "%s/%s", path, entry->d_name);
        failed |= replay(child, count);
    }
    closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    int failed = 0, count = 0;
    for (int i = 1; i < argc; i++)
        if (argv[i][0] != '-')
            failed |= replay(argv[i], &count);
    printf("%s: %d inputs replayed\n", argv[0], count);
    return failed;
}
