# R's glmnet for bench/lasso: glmnet.R FOLDER ROWS FEATURES dense|sparse. Reads the design once; then, for every line
# "COUNT THRESH" on standard input, fits at the COUNT lambdas of lambdas.bin, writes the coefficients beside them and
# prints the seconds that glmnet took.
suppressMessages({
  library(Matrix)
  library(glmnet)
})
words <- commandArgs(trailingOnly = TRUE)
folder <- words[1]
rows <- as.integer(words[2])
features <- as.integer(words[3])
numbers <- function(name, what, count, size) readBin(file.path(folder, name), what, count, size = size)
y <- numbers("target.bin", "double", rows, 8)
if (words[4] == "dense") {
  x <- matrix(numbers("columns.bin", "double", rows * features, 8), rows, features)
} else {
  p <- numbers("indptr.bin", "integer", features + 1, 4)
  count <- p[features + 1]
  x <- new("dgCMatrix", p = p, i = numbers("indices.bin", "integer", count, 4),
           x = numbers("values.bin", "double", count, 8), Dim = c(rows, features))
}
invisible(unlink(file.path(folder, c("columns.bin", "values.bin", "indices.bin", "indptr.bin"))))
cat("ready\n")
flush(stdout())
input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  asked <- strsplit(line, " ")[[1]]
  lambdas <- numbers("lambdas.bin", "double", as.integer(asked[1]), 8)
  glmnet.control(fdev = 0, devmax = 1)
  # A single lambda is not what glmnet is made for: it gets there by a short path, as its manual advises.
  given <- if (length(lambdas) == 1) lambdas * 20^seq(1, 0, length.out = 20) else lambdas
  start <- proc.time()[["elapsed"]]
  fit <- glmnet(x, y, lambda = given, standardize = FALSE, intercept = FALSE, thresh = as.double(asked[2]),
                maxit = 1e8)
  seconds <- proc.time()[["elapsed"]] - start
  beta <- fit$beta
  if (length(lambdas) == 1) beta <- beta[, ncol(beta), drop = FALSE]
  beta <- as(beta, "CsparseMatrix")
  writeBin(as.integer(beta@i), file.path(folder, "found_index.bin"), size = 4)
  writeBin(as.integer(beta@p), file.path(folder, "found_offsets.bin"), size = 4)
  writeBin(as.double(beta@x), file.path(folder, "found_values.bin"), size = 8)
  cat(seconds, "\n")
  flush(stdout())
}
