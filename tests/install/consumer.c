/* What a user of the installed library would write first: the header is found, the library links and answers with the
 * header's version. */
#include <partan/partan.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    if (strcmp(partan_version(), PARTAN_VERSION) != 0) {
        fprintf(stderr, "header %s, library %s\n", PARTAN_VERSION, partan_version());
        return 1;
    }
    partan_context *context = partan_create(NULL);
    if (!context)
        return 1;
    printf("partan %s, %d threads, %s kernels\n", partan_version(), partan_threads(context), partan_isa(context));
    partan_destroy(context);
    return 0;
}
