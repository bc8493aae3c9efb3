include Makefile.reproduce
