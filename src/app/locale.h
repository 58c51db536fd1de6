/* The character set of the terminal. */
#ifndef APP_LOCALE_H
#define APP_LOCALE_H

/* Take over the one of the environment. The static program knows UTF-8 without the system. */
void	locale_begin(void);

#endif
