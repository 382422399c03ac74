/* SPDX-License-Identifier: GPL-2.0-or-later */
int closure_fixture_value(void);

int closure_fixture_value(void)
{
	return 0;
}
