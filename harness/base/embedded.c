/*
 * The texts that the build puts into the program.
 */
#include "base/embedded.h"

#include <string.h>

const char *embedded_text(const char *name)
{
    for (const struct embedded_file *file = embedded_files; file->name != NULL; file++)
        if (strcmp(file->name, name) == 0)
            return file->text;
    return NULL;
}
