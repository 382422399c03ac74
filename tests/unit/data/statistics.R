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

# The 95 % interval of a side's mean.
mean_interval <- function(s) {
  if (equal_boots(s) && sd(boot_means(s)) > 0)
    return(as.vector(t.test(boot_means(s))$conf.int))
  a <- clustered(s)
  a$mean + c(-1, 1) * qt(0.975, a$k - 1) * sqrt(a$variance)
}

# Mann-Whitney on the boots' means: W, p, and whether R took the exact distribution.
ranks <- function(base, other) {
  result <- suppressWarnings(wilcox.test(boot_means(other), boot_means(base)))
  c(result$statistic, result$p.value, !grepl("continuity", result$method))
}

# The smallest cost in percent that Welch's test would find with a probability of 80 %: the
# non-centrality at which its upper tail holds 0.8, as power.t.test has it, times the standard error.
detectable <- function(base, other) {
  df <- unname(test_at(base, other, 1)[2])
  critical <- qt(0.975, df)
  ncp <- uniroot(function(x) pt(critical, df, x, lower.tail = FALSE) - 0.8, c(0, critical + 40),
                 tol = 1e-15, maxiter = 10000)$root
  100 * ncp * sqrt(clustered(base)$variance + clustered(other)$variance) / abs(mean(base$values))
}

# mmtests' star: the normal 95 % ranges of the samples do not touch.
mmtests_star <- function(base, other)
  abs(mean(other$values) - mean(base$values)) >
    qnorm(0.975) * (sd(base$values) + sd(other$values))

number <- function(x) paste(sprintf("%.17g", x), collapse = ";")
summary_lines <- function(name, s) {
  x <- s$values
  best <- sort(x)[seq_len(max(1, floor(length(x) * 95 / 100)))]
  cat(name, ".seeds=", paste(s$seeds, collapse = ";"), "\n", sep = "")
  cat(name, ".values=", number(x), "\n", sep = "")
  cat(name, ".summary=", number(c(mean(x), sd(x), min(x), max(x), 100 * sd(x) / mean(x),
                                  mean(best))), "\n", sep = "")
  cat(name, ".quantiles=", number(quantile(x, c(0.05, 0.25, 0.5, 0.75, 0.95))), "\n", sep = "")
  cat(name, ".interval=", number(mean_interval(s)), "\n", sep = "")
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
  cat("ranks=", number(ranks(base, other)), "\n", sep = "")
  cat("detectable=", number(detectable(base, other)), "\n", sep = "")
  cat("mmtests_star=", number(mmtests_star(base, other)), "\n", sep = "")
}

# Comparisons at once: p-values and what p.adjust makes of them.
write_holm <- function(title, p) {
  cat(sprintf("\n[holm %s]\n", title))
  cat("p=", number(p), "\n", sep = "")
  cat("adjusted=", number(p.adjust(p, "holm")), "\n", sep = "")
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
write_set("ties", whole(side(9, 1, 20, 3, 2)), whole(side(8, 1, 22, 3, 2)))
write_set("many ties", whole(side(30, 1, 5, 0.5, 0.5)), whole(side(40, 1, 5.3, 0.5, 0.5)))
write_set("ties and no difference", list(seeds = 1:6, values = c(1, 2, 3, 3, 2, 1)),
          list(seeds = 1:5, values = c(3, 1, 2, 1, 3)))
write_set("49 runs, exact", side(49, 1, 2.2677, 0, 0.05), side(49, 1, 2.0094, 0, 0.05))
write_set("49 runs, close", side(49, 1, 2.2677, 0, 0.05), side(49, 1, 2.2477, 0, 0.05))
write_set("50 runs, normal", side(50, 1, 2.2677, 0, 0.05), side(49, 1, 2.2477, 0, 0.05))
write_set("200 runs", side(200, 1, 0.4743, 0, 0.01), side(120, 1, 0.4733, 0, 0.01))
write_set("30 runs, 1 % spread, 3 % slower", side(30, 1, 100, 0, 1), side(30, 1, 103, 0, 1))
write_set("30 runs, 1 % spread, 5 % slower", side(30, 1, 100, 0, 1), side(30, 1, 105, 0, 1))
write_holm("one", 0.03)
write_holm("two", c(0.03, 0.02))
write_holm("nine", c(0.01, 0.02, 0.03, 0.04, 0.005, 0.3, 0.5, 1, 0))
write_holm("equal", c(0.02, 0.02, 0.02))
write_holm("monotone", c(0.04, 0.01, 0.011, 0.012))
write_holm("small", c(1e-30, 1e-12, 0.9, 0.04, 1e-5))
write_holm("missing", c(0.01, NaN, 0.04, NaN, 0.03))
write_holm("random", runif(50)^3)
