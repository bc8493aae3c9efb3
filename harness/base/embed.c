/*
 * Runs at build time: turns text files into one C file, so that the program carries them.
 * Usage: embed OUTPUT FILE...
 */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    FILE *out = argc > 2 ? fopen(argv[1], "w") : NULL;
    if (out == NULL)
        return 1;
    fprintf(out, "#include \"base/embedded.h\"\n");
    for (int i = 2; i < argc; i++) {
        FILE *in = fopen(argv[i], "rb");
        if (in == NULL) {
            fprintf(stderr, "embed: cannot read %s\n", argv[i]);
            return 1;
        }
        /* Characters, since a byte above 127 is a number that char may not hold. */
        fprintf(out, "static const char text_%d[] = {", i);
        for (int c, column = 0; (c = getc(in)) != EOF; column++)
            fprintf(out, "%s'\\%03o',", column % 20 == 0 ? "\n" : "", (unsigned)c);
        fprintf(out, "0};\n");
        fclose(in);
    }
    fprintf(out, "const struct embedded_file embedded_files[] = {\n");
    for (int i = 2; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        fprintf(out, "{\"%s\", text_%d},\n", slash == NULL ? argv[i] : slash + 1, i);
    }
    fprintf(out, "{0, 0}};\n");
    return fclose(out) == 0 ? 0 : 1;
}
