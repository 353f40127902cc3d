/* What the extension module has beside the library. declarations.py reads this too, so it has declarations only. */
int partan_listen(partan_context *context);
int partan_unlisten(void);
void partan_decide_rows(const partan_model *model, const double *decision, size_t rows, int32_t *classes);
