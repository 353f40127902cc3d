#include "model/keys.h"

static const char *const flag_names[] = {"no", "yes", NULL};

static pt_key_type type_of(const pt_setting *setting)
{
    static const pt_key_type types[] = {
        [PT_FIELD_ENUM] = PT_KEY_CHOICE,
        [PT_FIELD_INTEGER] = PT_KEY_INTEGER,
        [PT_FIELD_UNSIGNED] = PT_KEY_UNSIGNED,
        [PT_FIELD_REAL] = PT_KEY_REAL,
    };
    return setting->option.type == PARTAN_OPTION_FLAG ? PT_KEY_FLAG : types[setting->field];
}

pt_key pt_key_resolve(const pt_key *key)
{
    pt_key resolved = *key;
    if (key->type == PT_KEY_FLAG)
        resolved.names = flag_names;
    if (key->type != PT_KEY_SETTING)
        return resolved;
    const pt_setting *setting = pt_setting_find(key->of, key->name);
    resolved = (pt_key){.name = key->name,
                        .type = type_of(setting),
                        .offset = key->offset + setting->offset,
                        PT_KEY_ANY,
                        .names = setting->names,
                        .option = &setting->option};
    return pt_key_resolve(&resolved);
}
