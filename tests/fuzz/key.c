/*
 * Keys, paths of jobs and globs: the first line is a path, the others are globs on it. A path that
 * is taken is the one that its key or its job has.
 */
#include "fuzz.h"

#include "base/intern.h"
#include "run/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *const text = string_of(data, size), *rest = text;
    const char *const path = strsep(&rest, "\n");
    struct selection selection = {.size = "smoke"};
    struct key key, again;
    struct job job;
    if (key_parse(path, &key)) {
        const char *const parts[] = {key.exhibit, key.of, key.variant, key.precision, key.n};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
            PROMISE(parts[i][0] != '\0' && parts[i] == intern(parts[i]));
        PROMISE(strcmp(key_path(&key), path) == 0);
        PROMISE(key_parse(key_path(&key), &again) && key_same(&key, &again));
        PROMISE(key_hash(&key) == key_hash(&again) && key_same_method(&key, &again));
    }
    if (job_from_path(path, &job) == OK)
        PROMISE(strcmp(job.path, path) == 0 && job.n >= 1);
    while (rest != NULL && selection.glob_count < 4)
        selection.globs[selection.glob_count++] = strsep(&rest, "\n");
    const bool any = path_selected(&selection, path);
    PROMISE(any || selection.glob_count > 0);
    free(text);
    return 0;
}
