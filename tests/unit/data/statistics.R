# SPDX-License-Identifier: GPL-2.0-or-later
# Makes statistics.ini, the figures that test_statistics.c compares with: R's own mean, sd and
# t.test on made-up data. Needs R (r-base-core) only when run again:
#     Rscript statistics.R > statistics.ini
set.seed(20230126)

# One side: k boots, each with a boot effect; n iterations, one number or one for each boot.
side <- function(k, n, mean, boot_sd, sd) {
  n <- rep_len(n, k)
  effects <- rnorm(k, 0, boot_sd)
  list(seeds = rep(seq_len(k), n),
       values = unlist(lapply(seq_len(k), function(b) mean + effects[b] + rnorm(n[b], 0, sd))))
}
whole <- function(s) { s$values <- round(s$values); s }
mapped <- function(s, f) { s$values <- f(s$values); s }

boot_means <- function(s) as.vector(tapply(s$values, s$seeds, mean))
equal_boots <- function(s) length(unique(table(s$seeds))) == 1

# Mean and variance of the mean, from a linear model with boots as clusters (the sandwich estimator
# with the factor k / (k - 1)); for boots of equal size this is var(boot means) / k.
clustered <- function(s) {
  model <- lm(values ~ 1, data = s)
  score <- tapply(residuals(model), s$seeds, sum)
  k <- length(score)
  list(mean = unname(coef(model)), k = k,
       variance = k / (k - 1) * sum(score^2) / length(s$values)^2)
}

# Welch's test of "mean of other = r * mean of base".
test_at <- function(base, other, r) {
  if (equal_boots(base) && equal_boots(other)) {
    result <- t.test(boot_means(other), r * boot_means(base))
    return(c(result$statistic, result$parameter, result$p.value))
  }
  a <- clustered(base); b <- clustered(other)
  va <- r^2 * a$variance; vb <- b$variance
  t <- (b$mean - r * a$mean) / sqrt(va + vb)
  df <- (va + vb)^2 / (va^2 / (a$k - 1) + vb^2 / (b$k - 1))
  c(t, df, 2 * pt(-abs(t), df))
}

# The end of the 95 % interval on one side of the ratio: where the p-value is 0.05. NaN where there
# is none, because the base's mean is not clearly different from 0.
end_of <- function(base, other, direction) {
  r <- mean(other$values) / mean(base$values)
  f <- function(x) test_at(base, other, x)[3] - 0.05
  step <- direction * abs(r) * 1e-4
  while (f(r + step) > 0) {
    step <- step * 2
    if (abs(step) > 1e9 * abs(r)) return(NaN)
  }
  uniroot(f, sort(c(r, r + step)), tol = 1e-16, maxiter = 10000)$root
}

number <- function(x) paste(sprintf("%.17g", x), collapse = ";")
summary_lines <- function(name, s) {
  x <- s$values
  best <- sort(x)[seq_len(max(1, floor(length(x) * 95 / 100)))]
  cat(name, ".seeds=", paste(s$seeds, collapse = ";"), "\n", sep = "")
  cat(name, ".values=", number(x), "\n", sep = "")
  cat(name, ".summary=", number(c(mean(x), sd(x), min(x), max(x), 100 * sd(x) / mean(x),
                                  mean(best))), "\n", sep = "")
}

count <- 0
write_set <- function(title, base, other) {
  count <<- count + 1
  test <- test_at(base, other, 1)
  cat(sprintf("\n[%02d %s]\n", count, title))
  summary_lines("base", base)
  summary_lines("other", other)
  cat("cost=", number(100 * (mean(other$values) / mean(base$values) - 1)), "\n", sep = "")
  cat("ends=", number(100 * (c(end_of(base, other, -1), end_of(base, other, 1)) - 1)), "\n",
      sep = "")
  cat("test=", number(test), "\n", sep = "")
}

cat("# Made by statistics.R with", R.version.string, "\n")
for (k in c(2, 3, 4, 5, 8, 20))
  write_set(sprintf("%d boots of 10", k), side(k, 10, 100, 2, 1), side(k, 10, 133, 2, 1))
for (n in c(1, 2, 3, 30))
  write_set(sprintf("4 boots of %d", n), side(4, n, 50, 1, 1), side(4, n, 51, 1, 1))
for (ratio in c(0.2, 0.9, 1.001, 2, 5, 40))
  write_set(sprintf("ratio %g", ratio), side(5, 10, 10, 0.1, 0.2),
            side(5, 10, 10 * ratio, 0.1 * ratio, 0.2 * ratio))
write_set("unequal boots", side(3, 10, 100, 2, 1), side(9, 10, 110, 2, 1))
write_set("unequal boots, the other way", side(12, 5, 100, 2, 1), side(2, 5, 110, 2, 1))
write_set("unequal spread", side(5, 10, 100, 0.1, 0.1), side(5, 10, 130, 5, 1))
write_set("unequal spread, the other way", side(5, 10, 100, 5, 1), side(5, 10, 130, 0.1, 0.1))
write_set("instructions", whole(side(6, 10, 1.4e8, 3e6, 1e6)), whole(side(6, 10, 1.9e8, 4e6, 1e6)))
write_set("many instructions", whole(side(3, 10, 3e10, 1e7, 1e7)),
           whole(side(3, 10, 3.1e10, 1e7, 1e7)))
write_set("seconds", side(5, 10, 0.4295, 0.004, 0.002), side(5, 10, 0.4743, 0.004, 0.002))
write_set("nanoseconds", side(4, 10, 3e-9, 1e-10, 1e-10), side(4, 10, 4e-9, 1e-10, 1e-10))
write_set("hardly any spread", side(4, 10, 1e5, 0.3, 0.2), side(4, 10, 1e5 + 4, 0.3, 0.2))
write_set("wide spread", side(5, 10, 100, 20, 20), side(5, 10, 120, 20, 20))
write_set("very wide spread", side(6, 10, 100, 60, 20), side(6, 10, 120, 60, 20))
write_set("negative on both sides", side(4, 10, -100, 2, 1), side(4, 10, -120, 2, 1))
write_set("other negative", side(4, 10, 100, 2, 1), side(4, 10, -50, 2, 1))
write_set("base negative", side(4, 10, -100, 2, 1), side(4, 10, 50, 2, 1))
write_set("other about zero", side(5, 10, 100, 2, 1), side(5, 10, 0, 2, 1))
write_set("lognormal", mapped(side(6, 10, 3, 0.1, 0.3), exp),
           mapped(side(6, 10, 3.2, 0.1, 0.3), exp))
two_humps <- function(x) ifelse(x > 100, x + 10, x)
write_set("two humps", mapped(side(8, 10, 100, 2, 3), two_humps),
           mapped(side(8, 10, 101, 2, 3), two_humps))
outlier <- side(5, 10, 100, 1, 1)
outlier$values[7] <- 250
write_set("an outlier", outlier, side(5, 10, 105, 1, 1))
constant <- list(seeds = rep(1:4, each = 10), values = rep(100, 40))
write_set("a constant base", constant, side(4, 10, 105, 2, 1))
write_set("a constant other", side(4, 10, 105, 2, 1), constant)
write_set("no difference", side(10, 10, 100, 2, 1), side(10, 10, 100, 2, 1))
write_set("the last boot cut short", side(4, c(10, 10, 10, 3), 100, 2, 1),
           side(4, c(10, 10, 10, 4), 133, 2, 1))
write_set("boots of all sizes", side(6, 1:6, 100, 2, 1), side(5, c(9, 2, 5, 1, 7), 90, 2, 1))
write_set("one cut short, one not", side(3, c(10, 10, 1), 100, 2, 1), side(3, 10, 133, 2, 1))
write_set("whole numbers", whole(side(5, 10, 20, 3, 2)), whole(side(5, 10, 23, 3, 2)))
