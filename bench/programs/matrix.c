/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>

/* A product of matrices of whole numbers: loops, loads in order and by columns. */

enum { SIZE = 192, ROUNDS = 3 };

static void fill(unsigned int *matrix, unsigned int seed)
{
	for (int i = 0; i < SIZE * SIZE; i++) {
		seed = seed * 1664525 + 1013904223;
		matrix[i] = seed >> 16;
	}
}

static unsigned int cell(const unsigned int *a, const unsigned int *b, int row, int column)
{
	unsigned int sum = 0;

	for (int i = 0; i < SIZE; i++)
		sum += a[row * SIZE + i] * b[i * SIZE + column];
	return sum;
}

static void multiply(const unsigned int *a, const unsigned int *b, unsigned int *product)
{
	for (int row = 0; row < SIZE; row++)
		for (int column = 0; column < SIZE; column++)
			product[row * SIZE + column] = cell(a, b, row, column);
}

int main(void)
{
	static unsigned int a[SIZE * SIZE], b[SIZE * SIZE], product[SIZE * SIZE];
	unsigned int sum = 0;

	fill(a, 1);
	fill(b, 2);
	for (int round = 0; round < ROUNDS; round++) {
		multiply(a, b, product);
		multiply(product, b, a);
		sum += a[round];
	}
	printf("%u\n", sum);
	return 0;
}
