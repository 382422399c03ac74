/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Counts words in a hash table with chains: calls, strings, branches, loads anywhere. */

enum { SLOTS = 1 << 14, WORDS = 1 << 15, ROUNDS = 12, LONGEST = 12 };

struct word {
	struct word *next;
	unsigned int count;
	char text[LONGEST];
};

static unsigned int next_random(unsigned int *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 12;
}

static void make_text(char *text, unsigned int *state)
{
	unsigned int number = next_random(state) % WORDS, length = 0;

	while (number && length < LONGEST - 1) {
		text[length++] = (char)('a' + number % 26);
		number /= 26;
	}
	text[length] = '\0';
}

static unsigned int hash(const char *text)
{
	unsigned int sum = 5381;

	while (*text)
		sum = sum * 33 + (unsigned char)*text++;
	return sum % SLOTS;
}

static struct word *find(struct word **slots, const char *text)
{
	struct word **slot = &slots[hash(text)], *word;

	for (word = *slot; word; word = word->next)
		if (!strcmp(word->text, text))
			return word;
	word = calloc(1, sizeof(*word));
	if (!word)
		exit(1);
	strcpy(word->text, text);
	word->next = *slot;
	*slot = word;
	return word;
}

int main(void)
{
	static struct word *slots[SLOTS];
	unsigned int state = 1, most = 0;
	char text[LONGEST];

	for (int i = 0; i < ROUNDS * WORDS; i++) {
		struct word *word;

		make_text(text, &state);
		word = find(slots, text);
		if (++word->count > most)
			most = word->count;
	}
	printf("%u\n", most);
	return 0;
}
