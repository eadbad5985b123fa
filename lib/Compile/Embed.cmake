# INPUT, a text, as a raw string of C++ in OUTPUT.
file(READ ${INPUT} text)
file(WRITE ${OUTPUT} "R\"embedded(${text})embedded\"\n")
