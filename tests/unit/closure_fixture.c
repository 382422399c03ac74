/* SPDX-License-Identifier: GPL-2.0-or-later */

/* A program that needs a library which lies beside it. */
int closure_fixture_value(void);

int main(void)
{
	return closure_fixture_value();
}
