/*
 * Terminal entries for systems without any, as ncurses reads them from TERMINFO: made by
 * `infocmp -0 -Q2 NAME` of ncurses.
 */
#include "ui/term/entries.h"

#include <stddef.h>
#include <string.h>

struct terminal_entry {
	const char	*name, *text;
};

static const struct terminal_entry entries[] = {
	{ "xterm-256color",
	    "b64:HgIlAB0ADwBxAVQGeHRlcm0tMjU2Y29sb3J8eHRlcm0gd2l0aCAyNTYgY29sb3JzAAABAAABAAAAAQAA"
	    "AAABAQAAAAAAAAABAAABAAEBUAAAAAgAAAAYAAAA____________________________________________"
	    "_________wABAAAAAAEAAAAEAAYACAAZAB4AJgAqAC4A__85AEoATABQAFcA__9ZAGYA__9qAG4AeAB8AP__"
	    "__-AAIQAiQCOAP__oAClAKoA__-vALQAuQC-AMcAywDSAP__5ADpAO8A9QD_______8HAf_______xkB__8d"
	    "Af_______x8B__8kAf__________KAEsATIBNgE6AT4BRAFKAVABVgFcAWAB__9lAf__aQFuAXMBdwF-Af__"
	    "hQGJAZEB_____________________________5kBogGrAf__rgG3AcAByQHSAdsB5AHtAfYB_wH_______8I"
	    "AgwCEQIWAioCMwL_____RQJIAlMCVgJYAlsCuAL__7sC__________-"
	    "9AsECxQLJAs0C_____9EC__8GA_____8KAxAD_____________xYD_____________xoDHgP____________"
	    "______________________________________________________yID_____ykD__________8wAzcDPgP"
	    "_____RQP__0wD________UwP_____________WgNgA2YDbQN0A3sDggOKA5IDmgOiA6oDsgO6A8IDyQPQA9c"
	    "D3gPmA-4D9gP-AwYEDgQWBB4EJQQsBDMEOgRCBEoEUgRaBGIEagRyBHoEgQSIBI8ElgSeBKYErgS2BL4ExgT"
	    "OBNYE3QTkBOsE8AT___________________________________________________________cEAgUHBRo"
	    "FHgUnBS4F_____________________________4wF________________________kQX________________"
	    "_____________________________________lwWoBf____________________________-"
	    "6Bf_______74F_QX__________________z0GG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1s"
	    "ySgAbW0sAG1tKABtbJWklcDElZEcAG1slaSVwMSVkOyVwMiVkSAAKABtbSAAbWz8yNWwACAAbWz8xMmwbWz8"
	    "yNWgAG1tDABtbQQAbWz8xMjsyNWgAG1tQABtbTQAbKDAAG1s1bQAbWzFtABtbPzEwNDloG1syMjswOzB0ABt"
	    "bMm0AG1s0aAAbWzhtABtbN20AG1s3bQAbWzRtABtbJXAxJWRYABsoQgAbKEIbW20AG1s_MTA0OWwbWzIzOzA"
	    "7MHQAG1s0bAAbWzI3bQAbWzI0bQAbWz81aCQ8MTAwLz4bWz81bAAbWyFwG1s_Mzs0bBtbNGwbPgAbW0wAfwA"
	    "bWzN-ABtPQgAbT1AAG1syMX4AG09RABtPUgAbT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09"
	    "IABtbMn4AG09EABtbNn4AG1s1fgAbT0MAG1sxOzJCABtbMTsyQQAbT0EAG1s_MWwbPgAbWz8xaBs9ABtbPzE"
	    "wMzRsABtbPzEwMzRoABtFABtbJXAxJWRQABtbJXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABt"
	    "bJXAxJWRMABtbJXAxJWREABtbJXAxJWRDABtbJXAxJWRUABtbJXAxJWRBABtbaQAbWzRpABtbNWkAJXAxJWM"
	    "bWyVwMiV7MX0lLSVkYgAbYxtdMTA0BwAbWyFwG1s_Mzs0bBtbNGwbPgAbOAAbWyVpJXAxJWRkABs3AAoAG00"
	    "AJT8lcDkldBsoMCVlGyhCJTsbWzAlPyVwNiV0OzElOyU_JXA1JXQ7MiU7JT8lcDIldDs0JTslPyVwMSVwMyV"
	    "8JXQ7NyU7JT8lcDQldDs1JTslPyVwNyV0OzglO20AG0gACQAbT3cAG095ABtPdQAbT3EAG09zAGBgYWFmZmd"
	    "naWlqamtrbGxtbW5ub29wcHFxcnJzc3R0dXV2dnd3eHh5eXp6e3t8fH19fn4AG1taABtbPzdoABtbPzdsABt"
	    "PRQAbT0YAG09NABtbMzsyfgAbWzE7MkYAG1sxOzJIABtbMjsyfgAbWzE7MkQAG1s2OzJ-ABtbNTsyfgAbWzE"
	    "7MkMAG1syM34AG1syNH4AG1sxOzJQABtbMTsyUQAbWzE7MlIAG1sxOzJTABtbMTU7Mn4AG1sxNzsyfgAbWzE"
	    "4OzJ-ABtbMTk7Mn4AG1syMDsyfgAbWzIxOzJ-"
	    "ABtbMjM7Mn4AG1syNDsyfgAbWzE7NVAAG1sxOzVRABtbMTs1UgAbWzE7NVMAG1sxNTs1fgAbWzE3OzV-"
	    "ABtbMTg7NX4AG1sxOTs1fgAbWzIwOzV-ABtbMjE7NX4AG1syMzs1fgAbWzI0OzV-"
	    "ABtbMTs2UAAbWzE7NlEAG1sxOzZSABtbMTs2UwAbWzE1OzZ-ABtbMTc7Nn4AG1sxODs2fgAbWzE5OzZ-"
	    "ABtbMjA7Nn4AG1syMTs2fgAbWzIzOzZ-"
	    "ABtbMjQ7Nn4AG1sxOzNQABtbMTszUQAbWzE7M1IAG1sxOzNTABtbMTU7M34AG1sxNzszfgAbWzE4OzN-"
	    "ABtbMTk7M34AG1syMDszfgAbWzIxOzN-ABtbMjM7M34AG1syNDszfgAbWzE7NFAAG1sxOzRRABtbMTs0UgAb"
	    "WzFLABtbPzY5bAAbWyVpJWQ7JWRSABtbNm4AG1s_JVs7MDEyMzQ1Njc4OV1jABtbYwAbWzM5OzQ5bQAbXTEw"
	    "NAcAG100OyVwMSVkO3JnYjolcDIlezI1NX0lKiV7MTAwMH0lLyUyLjJYLyVwMyV7MjU1fSUqJXsxMDAwfSUv"
	    "JTIuMlgvJXA0JXsyNTV9JSolezEwMDB9JS8lMi4yWBtcABtbM20AG1syM20AG1s_NjloG1slaSVwMSVkcwAb"
	    "Wz82OWgbWyVpOyVwMSVkcwAbWzwAG1slPyVwMSV7OH0lPCV0MyVwMSVkJWUlcDElezE2fSU8JXQ5JXAxJXs4"
	    "fSUtJWQlZTM4OzU7JXAxJWQlO20AG1slPyVwMSV7OH0lPCV0NCVwMSVkJWUlcDElezE2fSU8JXQxMCVwMSV7"
	    "OH0lLSVkJWU0ODs1OyVwMSVkJTttABtbPzY5aBtbJWklcDElZDslcDIlZHMA" },
	{ "xterm",
	    "b64:GgE9AB0ADwBxAQoGeHRlcm18eHRlcm0tZGViaWFufHh0ZXJtIHRlcm1pbmFsIGVtdWxhdG9yIChYIFdp"
	    "bmRvdyBTeXN0ZW0pAAABAAABAAAAAQAAAAABAQAAAAAAAAABAAABAAABUAAIABgA____________________"
	    "______8IAEAAAAAEAAYACAAZAB4AJgAqAC4A__85AEoATABQAFcA__9ZAGYA__9qAG4AeAB8AP____-"
	    "AAIQAiQCOAP__oAClAKoA__-vALQAuQC-AMcAywDSAP__5ADpAO8A9QD_______8HAf_______xkB__8dAf_"
	    "______x8B__8kAf__________KAEsATIBNgE6AT4BRAFKAVABVgFcAWAB__9lAf__aQFuAXMBdwF-Af__hQG"
	    "JAZEB_____________________________5kBogGrAf__rgG3AcAByQHSAdsB5AHtAfYB_wH_______8IAgw"
	    "CEQIWAioCLQL_____PwJCAk0CUAJSAlUCsgL__7UC__________-"
	    "3ArsCvwLDAscC_____8sC__8AA_____8EAwoD_____________xAD_____________xQDGAP____________"
	    "______________________________________________________xwD_____yMD__________8qAzEDOAP"
	    "_____PwP__0YD________TQP_____________VANaA2ADZwNuA3UDfAOEA4wDlAOcA6QDrAO0A7wDwwPKA9E"
	    "D2APgA-gD8AP4AwAECAQQBBgEHwQmBC0ENAQ8BEQETARUBFwEZARsBHQEewSCBIkEkASYBKAEqASwBLgEwAT"
	    "IBNAE1wTeBOUE6gT___________________________________________________________EE_AQBBRQ"
	    "FGAX__________yEFZwX__________________60F________________________sgX________________"
	    "_____________________________________uAXJBf_____________________________bBf_______98"
	    "F6QX___________________MFG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1sySgAbW0sAG1t"
	    "KABtbJWklcDElZEcAG1slaSVwMSVkOyVwMiVkSAAKABtbSAAbWz8yNWwACAAbWz8xMmwbWz8yNWgAG1tDABt"
	    "bQQAbWz8xMjsyNWgAG1tQABtbTQAbKDAAG1s1bQAbWzFtABtbPzEwNDloG1syMjswOzB0ABtbMm0AG1s0aAA"
	    "bWzhtABtbN20AG1s3bQAbWzRtABtbJXAxJWRYABsoQgAbKEIbW20AG1s_MTA0OWwbWzIzOzA7MHQAG1s0bAA"
	    "bWzI3bQAbWzI0bQAbWz81aCQ8MTAwLz4bWz81bAAbWyFwG1s_Mzs0bBtbNGwbPgAbW0wAfwAbWzN-ABtPQgA"
	    "bT1AAG1syMX4AG09RABtPUgAbT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG09IABtbMn4AG09"
	    "EABtbNn4AG1s1fgAbT0MAG1sxOzJCABtbMTsyQQAbT0EAG1s_MWwbPgAbWz8xaBs9ABtbPzEwMzRsABtbPzE"
	    "wMzRoABtFABtbJXAxJWRQABtbJXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABt"
	    "bJXAxJWREABtbJXAxJWRDABtbJXAxJWRUABtbJXAxJWRBABtbaQAbWzRpABtbNWkAJXAxJWMbWyVwMiV7MX0"
	    "lLSVkYgAbYwAbWyFwG1s_Mzs0bBtbNGwbPgAbOAAbWyVpJXAxJWRkABs3AAoAG00AJT8lcDkldBsoMCVlGyh"
	    "CJTsbWzAlPyVwNiV0OzElOyU_JXA1JXQ7MiU7JT8lcDIldDs0JTslPyVwMSVwMyV8JXQ7NyU7JT8lcDQldDs"
	    "1JTslPyVwNyV0OzglO20AG0gACQAbT3cAG095ABtPdQAbT3EAG09zAGBgYWFmZmdnaWlqamtrbGxtbW5ub29"
	    "wcHFxcnJzc3R0dXV2dnd3eHh5eXp6e3t8fH19fn4AG1taABtbPzdoABtbPzdsABtPRQAbT0YAG09NABtbMzs"
	    "yfgAbWzE7MkYAG1sxOzJIABtbMjsyfgAbWzE7MkQAG1s2OzJ-ABtbNTsyfgAbWzE7MkMAG1syM34AG1syNH4"
	    "AG1sxOzJQABtbMTsyUQAbWzE7MlIAG1sxOzJTABtbMTU7Mn4AG1sxNzsyfgAbWzE4OzJ-"
	    "ABtbMTk7Mn4AG1syMDsyfgAbWzIxOzJ-"
	    "ABtbMjM7Mn4AG1syNDsyfgAbWzE7NVAAG1sxOzVRABtbMTs1UgAbWzE7NVMAG1sxNTs1fgAbWzE3OzV-"
	    "ABtbMTg7NX4AG1sxOTs1fgAbWzIwOzV-ABtbMjE7NX4AG1syMzs1fgAbWzI0OzV-"
	    "ABtbMTs2UAAbWzE7NlEAG1sxOzZSABtbMTs2UwAbWzE1OzZ-ABtbMTc7Nn4AG1sxODs2fgAbWzE5OzZ-"
	    "ABtbMjA7Nn4AG1syMTs2fgAbWzIzOzZ-"
	    "ABtbMjQ7Nn4AG1sxOzNQABtbMTszUQAbWzE7M1IAG1sxOzNTABtbMTU7M34AG1sxNzszfgAbWzE4OzN-"
	    "ABtbMTk7M34AG1syMDszfgAbWzIxOzN-ABtbMjM7M34AG1syNDszfgAbWzE7NFAAG1sxOzRRABtbMTs0UgAb"
	    "WzFLABtbPzY5bAAbWyVpJWQ7JWRSABtbNm4AG1s_JVs7MDEyMzQ1Njc4OV1jABtbYwAbWzM5OzQ5bQAbWzMl"
	    "PyVwMSV7MX0lPSV0NCVlJXAxJXszfSU9JXQ2JWUlcDElezR9JT0ldDElZSVwMSV7Nn0lPSV0MyVlJXAxJWQl"
	    "O20AG1s0JT8lcDElezF9JT0ldDQlZSVwMSV7M30lPSV0NiVlJXAxJXs0fSU9JXQxJWUlcDElezZ9JT0ldDMl"
	    "ZSVwMSVkJTttABtbM20AG1syM20AG1s_NjloG1slaSVwMSVkcwAbWz82OWgbWyVpOyVwMSVkcwAbWzwAG1sz"
	    "JXAxJWRtABtbNCVwMSVkbQAbWz82OWgbWyVpJXAxJWQ7JXAyJWRzAA==" },
	{ "screen-256color",
	    "b64:HgIrAA8ADwBpASkDc2NyZWVuLTI1NmNvbG9yfEdOVSBTY3JlZW4gd2l0aCAyNTYgY29sb3JzAAABAAAB"
	    "AAAAAQAAAAABAVAAAAAIAAAAGAAAAP____________________________________________________8A"
	    "AQAAAAABAAAABAAGAAgAGQAeACUAKQAtAP__OABJAEsATwBWAP__WABkAP__aABrAHEAdQD_____eQB7AIAA"
	    "hQD__44AkwD_____mACdAKIA__-nAKkArgD__7cAvADCAMgA________ywD________PAP__0wD________V"
	    "AP__2gD__________94A4gDoAOwA8AD0APoAAAEGAQwBEgEXAf__HAH__yABJQEqAf_______y4BMgE6Af__"
	    "________________________________QgH__0UBTgFXAWABaQFyAXsBhAGNAZYB____________________"
	    "_58B_____7ABswG-AcEBwwHGARoC__8dAv____________________________8fAv__YAL_____________"
	    "__9kAv____________________9rAv______________________________________________________"
	    "_________________________________________________________________________________3AC"
	    "dgL_________________________________________________________________________________"
	    "______________________________________________________98Av__________________________"
	    "__________________________________-BAowCkQKZAp0C____________________________________"
	    "____________________________________________________________________________________"
	    "________________________________pgL_______-qAukCG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtb"
	    "M2cAG1tIG1tKABtbSwAbW0oAG1slaSVwMSVkRwAbWyVpJXAxJWQ7JXAyJWRIAAoAG1tIABtbPzI1bAAIABtb"
	    "MzRoG1s_MjVoABtbQwAbTQAbWzM0bAAbW1AAG1tNAA4AG1s1bQAbWzFtABtbPzEwNDloABtbMm0AG1s0aAAb"
	    "WzdtABtbM20AG1s0bQAPABtbbQ8AG1s_MTA0OWwAG1s0bAAbWzIzbQAbWzI0bQAbZwAbKTAAG1tMAH8AG1sz"
	    "fgAbT0IAG09QABtbMjF-ABtPUQAbT1IAG09TABtbMTV-ABtbMTd-ABtbMTh-ABtbMTl-ABtbMjB-"
	    "ABtbMX4AG1syfgAbT0QAG1s2fgAbWzV-ABtPQwAbT0EAG1s_MWwbPgAbWz8xaBs9ABtFABtbJXAxJWRQABtb"
	    "JXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABtbJXAxJWREABtbJXAxJWRDABtb"
	    "JXAxJWRUABtbJXAxJWRBABtjG1s_MTAwMGwbWz8yNWgAGzgAG1slaSVwMSVkZAAbNwAKABtNABtbMCU_JXA2"
	    "JXQ7MSU7JT8lcDEldDszJTslPyVwMiV0OzQlOyU_JXAzJXQ7NyU7JT8lcDQldDs1JTslPyVwNSV0OzIlO20l"
	    "PyVwOSV0DiVlDyU7ABtIAAkAKyssLC0tLi4wMGBgYWFmZmdnaGhpaWpqa2tsbG1tbm5vb3BwcXFycnNzdHR1"
	    "dXZ2d3d4eHl5enp7e3x8fX1-"
	    "fgAbW1oAGyhCGykwABtbNH4AG1syM34AG1syNH4AG1sxSwAbWyVpJWQ7JWRSABtbNm4AG1s_MTsyYwAbW2MA"
	    "G1szOTs0OW0AG1tNABtbJT8lcDElezh9JTwldDMlcDElZCVlJXAxJXsxNn0lPCV0OSVwMSV7OH0lLSVkJWUz"
	    "ODs1OyVwMSVkJTttABtbJT8lcDElezh9JTwldDQlcDElZCVlJXAxJXsxNn0lPCV0MTAlcDElezh9JS0lZCVl"
	    "NDg7NTslcDElZCU7bQA=" },
	{ "screen",
	    "b64:GgEqAA8ADwBpAb4Cc2NyZWVufFZUIDEwMC9BTlNJIFgzLjY0IHZpcnR1YWwgdGVybWluYWwAAAEAAAEA"
	    "AAABAAAAAAEBAFAACAAYAP__________________________CABAAAAABAAGAAgAGQAeACUAKQAtAP__OABJ"
	    "AEsATwBWAP__WABkAP__aABrAHEAdQD_____eQB7AIAAhQD__44AkwD_____mACdAKIA__-nAKkArgD__7cA"
	    "vADCAMgA________ywD________PAP__0wD________VAP__2gD__________94A4gDoAOwA8AD0APoAAAEG"
	    "AQwBEgEXAf__HAH__yABJQEqAf_______y4BMgE6Af__________________________________QgH__0UB"
	    "TgFXAWABaQFyAXsBhAGNAZYB_____________________58B_____7ABswG-AcEBwwHGARoC__8dAv______"
	    "______________________8fAv__YAL_______________9kAv____________________9rAv__________"
	    "____________________________________________________________________________________"
	    "_________________________________________3ACdgL_____________________________________"
	    "____________________________________________________________________________________"
	    "______________98Av____________________________________________________________-BAowC"
	    "kQKZAp0C____________________________________________________________________________"
	    "____________________________________________________________________________pgL_____"
	    "__-qArQCG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1tKABtbSwAbW0oAG1slaSVwMSVkRwAb"
	    "WyVpJXAxJWQ7JXAyJWRIAAoAG1tIABtbPzI1bAAIABtbMzRoG1s_MjVoABtbQwAbTQAbWzM0bAAbW1AAG1tN"
	    "AA4AG1s1bQAbWzFtABtbPzEwNDloABtbMm0AG1s0aAAbWzdtABtbM20AG1s0bQAPABtbbQ8AG1s_MTA0OWwA"
	    "G1s0bAAbWzIzbQAbWzI0bQAbZwAbKTAAG1tMAH8AG1szfgAbT0IAG09QABtbMjF-"
	    "ABtPUQAbT1IAG09TABtbMTV-ABtbMTd-ABtbMTh-ABtbMTl-ABtbMjB-"
	    "ABtbMX4AG1syfgAbT0QAG1s2fgAbWzV-ABtPQwAbT0EAG1s_MWwbPgAbWz8xaBs9ABtFABtbJXAxJWRQABtb"
	    "JXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABtbJXAxJWREABtbJXAxJWRDABtb"
	    "JXAxJWRUABtbJXAxJWRBABtjG1s_MTAwMGwbWz8yNWgAGzgAG1slaSVwMSVkZAAbNwAKABtNABtbMCU_JXA2"
	    "JXQ7MSU7JT8lcDEldDszJTslPyVwMiV0OzQlOyU_JXAzJXQ7NyU7JT8lcDQldDs1JTslPyVwNSV0OzIlO20l"
	    "PyVwOSV0DiVlDyU7ABtIAAkAKyssLC0tLi4wMGBgYWFmZmdnaGhpaWpqa2tsbG1tbm5vb3BwcXFycnNzdHR1"
	    "dXZ2d3d4eHl5enp7e3x8fX1-"
	    "fgAbW1oAGyhCGykwABtbNH4AG1syM34AG1syNH4AG1sxSwAbWyVpJWQ7JWRSABtbNm4AG1s_MTsyYwAbW2MA"
	    "G1szOTs0OW0AG1tNABtbMyVwMSVkbQAbWzQlcDElZG0A" },
	{ "tmux-256color",
	    "b64:HgIjAA8ADwBpARYFdG11eC0yNTZjb2xvcnx0bXV4IHdpdGggMjU2IGNvbG9ycwAAAQAAAQAAAAEBAAAA"
	    "AQFQAAAACAAAABgAAAD_____________________________________________________AAEAAAAAAQAA"
	    "AAQABgAIABkAHgAlACkALQD__zgASQBLAE8AVgD__1gAZAD__2gAawBxAHUAeQD__38AgQCGAIsA__-"
	    "UAJkAngD__6MAqACtAP__sgC0ALkA___CAMcAzQDTAP__1gD__9gA________3AD__-AA________4gD__-c"
	    "A___________rAO8A9QD5AP0AAQEHAQ0BEwEZAR8BJAH__ykB__8tATIBNwE7AUIB__9JAU0BVQH________"
	    "__________________________10B__9gAWkBcgF7AYQBjQGWAZ8BqAGxAf____________________-"
	    "6Af_____LAc4B2QHcAd4B4QE6Av__PQI_Av__________________________RAL__4UC_______________"
	    "_iQL_____________________kAL________________________________________________________"
	    "_____________lQL_____nAL__________6MCqgKxAv____-"
	    "4Av__vwL________GAv_____________NAtMC2QLgAucC7gL1Av0CBQMNAxUDHQMlAy0DNQM8A0MDSgNRA1k"
	    "DYQNpA3EDeQOBA4kDkQOYA58DpgOtA7UDvQPFA80D1QPdA-UD7QP0A_sDAgQJBBEEGQQhBCkEMQQ5BEEESQR"
	    "QBFcEXgT_____________________________________________________________YwRuBHMEewR_BP_"
	    "_________________________________iAT_______________________-NBP_____________________"
	    "__________________________________________________________________5ME________lwTWBBt"
	    "bWgAHAA0AG1slaSVwMSVkOyVwMiVkcgAbWzNnABtbSBtbSgAbW0sAG1tKABtbJWklcDElZEcAG1slaSVwMSV"
	    "kOyVwMiVkSAAKABtbSAAbWz8yNWwACAAbWzM0aBtbPzI1aAAbW0MAG00AG1szNGwAG1tQABtbTQAbXTA7BwA"
	    "OABtbNW0AG1sxbQAbWz8xMDQ5aAAbWzJtABtbNGgAG1s4bQAbWzdtABtbN20AG1s0bQAPABtbbQ8AG1s_MTA"
	    "0OWwAG1s0bAAbWzI3bQAbWzI0bQAbZwAHABspMAAbW0wAfwAbWzN-ABtPQgAbT1AAG1syMX4AG09RABtPUgA"
	    "bT1MAG1sxNX4AG1sxN34AG1sxOH4AG1sxOX4AG1syMH4AG1sxfgAbWzJ-ABtPRAAbWzZ-ABtbNX4AG09DABt"
	    "bMTsyQgAbWzE7MkEAG09BABtbPzFsGz4AG1s_MWgbPQAbRQAbWyVwMSVkUAAbWyVwMSVkTQAbWyVwMSVkQgA"
	    "bWyVwMSVkQAAbWyVwMSVkUwAbWyVwMSVkTAAbWyVwMSVkRAAbWyVwMSVkQwAbWyVwMSVkVAAbWyVwMSVkQQA"
	    "bYxtbPzEwMDBsG1s_MjVoABs4ABtbJWklcDElZGQAGzcACgAbTQAbWzAlPyVwNiV0OzElOyU_JXAyJXQ7NCU"
	    "7JT8lcDElcDMlfCV0OzclOyU_JXA0JXQ7NSU7JT8lcDUldDsyJTslPyVwNyV0OzglO20lPyVwOSV0DiVlDyU"
	    "7ABtIAAkAG10wOwArKywsLS0uLjAwYGBhYWZmZ2doaGlpampra2xsbW1ubm9vcHBxcXJyc3N0dHV1dnZ3d3h"
	    "4eXl6ent7fHx9fX5-"
	    "ABtbWgAbKEIbKTAAG1s0fgAbWzM7Mn4AG1sxOzJGABtbMTsySAAbWzI7Mn4AG1sxOzJEABtbNjsyfgAbWzU7"
	    "Mn4AG1sxOzJDABtbMjN-ABtbMjR-ABtbMTsyUAAbWzE7MlEAG1sxOzJSABtbMTsyUwAbWzE1OzJ-"
	    "ABtbMTc7Mn4AG1sxODsyfgAbWzE5OzJ-ABtbMjA7Mn4AG1syMTsyfgAbWzIzOzJ-"
	    "ABtbMjQ7Mn4AG1sxOzVQABtbMTs1UQAbWzE7NVIAG1sxOzVTABtbMTU7NX4AG1sxNzs1fgAbWzE4OzV-"
	    "ABtbMTk7NX4AG1syMDs1fgAbWzIxOzV-"
	    "ABtbMjM7NX4AG1syNDs1fgAbWzE7NlAAG1sxOzZRABtbMTs2UgAbWzE7NlMAG1sxNTs2fgAbWzE3OzZ-"
	    "ABtbMTg7Nn4AG1sxOTs2fgAbWzIwOzZ-ABtbMjE7Nn4AG1syMzs2fgAbWzI0OzZ-"
	    "ABtbMTszUAAbWzE7M1EAG1sxOzNSABtbMTszUwAbWzE1OzN-ABtbMTc7M34AG1sxODszfgAbWzE5OzN-"
	    "ABtbMjA7M34AG1syMTszfgAbWzIzOzN-ABtbMjQ7M34AG1sxOzRQABtbMTs0UQAbWzE7NFIAG1sxSwAbWyVp"
	    "JWQ7JWRSABtbNm4AG1s_MTsyYwAbW2MAG1szOTs0OW0AG1szbQAbWzIzbQAbW00AG1slPyVwMSV7OH0lPCV0"
	    "MyVwMSVkJWUlcDElezE2fSU8JXQ5JXAxJXs4fSUtJWQlZTM4OzU7JXAxJWQlO20AG1slPyVwMSV7OH0lPCV0"
	    "NCVwMSVkJWUlcDElezE2fSU8JXQxMCVwMSV7OH0lLSVkJWU0ODs1OyVwMSVkJTttAA==" },
	{ "tmux",
	    "b64:GgEfAA8ADwBpAasEdG11eHx0bXV4IHRlcm1pbmFsIG11bHRpcGxleGVyAAABAAABAAAAAQEAAAABAVAA"
	    "CAAYAP__________________________CABAAAAABAAGAAgAGQAeACUAKQAtAP__OABJAEsATwBWAP__WABk"
	    "AP__aABrAHEAdQB5AP__fwCBAIYAiwD__5QAmQCeAP__owCoAK0A__-"
	    "yALQAuQD__8IAxwDNANMA___WAP__2AD________cAP__4AD________iAP__5wD__________-sA7wD1APk"
	    "A_QABAQcBDQETARkBHwEkAf__KQH__y0BMgE3ATsBQgH__0kBTQFVAf_____________________________"
	    "_____XQH__2ABaQFyAXsBhAGNAZYBnwGoAbEB_____________________7oB_____8sBzgHZAdwB3gHhATo"
	    "C__89Aj8C__________________________9EAv__hQL_______________-JAv____________________-"
	    "QAv____________________________________________________________________-VAv____-"
	    "cAv__________owKqArEC_____7gC__-_Av_______8YC_____________80C0wLZAuAC5wLuAvUC_QIFAw0"
	    "DFQMdAyUDLQM1AzwDQwNKA1EDWQNhA2kDcQN5A4EDiQORA5gDnwOmA60DtQO9A8UDzQPVA90D5QPtA_QD-wM"
	    "CBAkEEQQZBCEEKQQxBDkEQQRJBFAEVwReBP_________________________________________________"
	    "___________9jBG4EcwR7BH8E__________________________________-IBP_____________________"
	    "__40E_______________________________________________________________________________"
	    "_________kwT_______-XBKEEG1taAAcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1tKABtbSwAbW0o"
	    "AG1slaSVwMSVkRwAbWyVpJXAxJWQ7JXAyJWRIAAoAG1tIABtbPzI1bAAIABtbMzRoG1s_MjVoABtbQwAbTQA"
	    "bWzM0bAAbW1AAG1tNABtdMDsHAA4AG1s1bQAbWzFtABtbPzEwNDloABtbMm0AG1s0aAAbWzhtABtbN20AG1s"
	    "3bQAbWzRtAA8AG1ttDwAbWz8xMDQ5bAAbWzRsABtbMjdtABtbMjRtABtnAAcAGykwABtbTAB_ABtbM34AG09"
	    "CABtPUAAbWzIxfgAbT1EAG09SABtPUwAbWzE1fgAbWzE3fgAbWzE4fgAbWzE5fgAbWzIwfgAbWzF-ABtbMn4"
	    "AG09EABtbNn4AG1s1fgAbT0MAG1sxOzJCABtbMTsyQQAbT0EAG1s_MWwbPgAbWz8xaBs9ABtFABtbJXAxJWR"
	    "QABtbJXAxJWRNABtbJXAxJWRCABtbJXAxJWRAABtbJXAxJWRTABtbJXAxJWRMABtbJXAxJWREABtbJXAxJWR"
	    "DABtbJXAxJWRUABtbJXAxJWRBABtjG1s_MTAwMGwbWz8yNWgAGzgAG1slaSVwMSVkZAAbNwAKABtNABtbMCU"
	    "_JXA2JXQ7MSU7JT8lcDIldDs0JTslPyVwMSVwMyV8JXQ7NyU7JT8lcDQldDs1JTslPyVwNSV0OzIlOyU_JXA"
	    "3JXQ7OCU7bSU_JXA5JXQOJWUPJTsAG0gACQAbXTA7ACsrLCwtLS4uMDBgYGFhZmZnZ2hoaWlqamtrbGxtbW5"
	    "ub29wcHFxcnJzc3R0dXV2dnd3eHh5eXp6e3t8fH19fn4AG1taABsoQhspMAAbWzR-"
	    "ABtbMzsyfgAbWzE7MkYAG1sxOzJIABtbMjsyfgAbWzE7MkQAG1s2OzJ-ABtbNTsyfgAbWzE7MkMAG1syM34A"
	    "G1syNH4AG1sxOzJQABtbMTsyUQAbWzE7MlIAG1sxOzJTABtbMTU7Mn4AG1sxNzsyfgAbWzE4OzJ-"
	    "ABtbMTk7Mn4AG1syMDsyfgAbWzIxOzJ-"
	    "ABtbMjM7Mn4AG1syNDsyfgAbWzE7NVAAG1sxOzVRABtbMTs1UgAbWzE7NVMAG1sxNTs1fgAbWzE3OzV-"
	    "ABtbMTg7NX4AG1sxOTs1fgAbWzIwOzV-ABtbMjE7NX4AG1syMzs1fgAbWzI0OzV-"
	    "ABtbMTs2UAAbWzE7NlEAG1sxOzZSABtbMTs2UwAbWzE1OzZ-ABtbMTc7Nn4AG1sxODs2fgAbWzE5OzZ-"
	    "ABtbMjA7Nn4AG1syMTs2fgAbWzIzOzZ-"
	    "ABtbMjQ7Nn4AG1sxOzNQABtbMTszUQAbWzE7M1IAG1sxOzNTABtbMTU7M34AG1sxNzszfgAbWzE4OzN-"
	    "ABtbMTk7M34AG1syMDszfgAbWzIxOzN-ABtbMjM7M34AG1syNDszfgAbWzE7NFAAG1sxOzRRABtbMTs0UgAb"
	    "WzFLABtbJWklZDslZFIAG1s2bgAbWz8xOzJjABtbYwAbWzM5OzQ5bQAbWzNtABtbMjNtABtbTQAbWzMlcDEl"
	    "ZG0AG1s0JXAxJWRtAA==" },
	{ "linux",
	    "b64:GgEUAB0AEAB9AUIDbGludXh8TGludXggY29uc29sZQAAAQAAAQEAAAAAAAAAAQEAAAAAAAEAAAAAAAAB"
	    "AQD__wgA_____________________________wgAQAASAP__AAACAAQAFQAaACEAJQApAP__NABFAEcASwBX"
	    "AP__WQBlAP__aQBtAHkAfQD_____gQCDAIgA_____40AkgD_____lwCcAKEApgCvALEA_____7YAuwDBAMcA"
	    "________________2QDdAP__4QD________jAP__6AD__________-wA8QD3APwAAQEGAQsBEQEXAR0BIwEo"
	    "Af__LQH__zEBNgE7Af_______z8B________________________________________QwH__0YBTwFYAWEB"
	    "__9qAXMBfAH__4UB__________________-OAf_______5QBlwGiAaUBpwGqAQEC__8EAv______________"
	    "_wYC__________8KAv__SwL_____TgJUAv____9aAv____________________9eAv__________________"
	    "________________________________YwL_________________________________________________"
	    "_________________________________2UCawJxAncCfQKDAokCjwKVApsC________________________"
	    "____________________________________________________________________________________"
	    "______-hAv____________________________________________________________-mArECtgK8AsAC"
	    "yQLNAv______________________________________________________________________________"
	    "____________________________________________________________________HgP_______8iAywD"
	    "________________________________________________NgM8AwcADQAbWyVpJXAxJWQ7JXAyJWRyABtb"
	    "M2cAG1tIG1tKABtbSwAbW0oAG1slaSVwMSVkRwAbWyVpJXAxJWQ7JXAyJWRIAAoAG1tIABtbPzI1bBtbPzFj"
	    "AAgAG1s_MjVoG1s_MGMAG1tDABtbQQAbWz8yNWgbWz84YwAbW1AAG1tNAA4AG1s1bQAbWzFtABtbMm0AG1s0"
	    "aAAbWzdtABtbN20AG1s0bQAbWyVwMSVkWAAPABtbbQ8AG1s0bAAbWzI3bQAbWzI0bQAbWz81aCQ8MjAwLz4b"
	    "Wz81bAAbW0AAG1tMAH8AG1szfgAbW0IAG1tbQQAbWzIxfgAbW1tCABtbW0MAG1tbRAAbW1tFABtbMTd-"
	    "ABtbMTh-ABtbMTl-ABtbMjB-ABtbMX4AG1syfgAbW0QAG1s2fgAbWzV-ABtbQwAbW0EADQoAG1slcDElZFAA"
	    "G1slcDElZE0AG1slcDElZEIAG1slcDElZEAAG1slcDElZEwAG1slcDElZEQAG1slcDElZEMAG1slcDElZEEA"
	    "G2MbXVIAGzgAG1slaSVwMSVkZAAbNwAKABtNABtbMDsxMCU_JXAxJXQ7NyU7JT8lcDIldDs0JTslPyVwMyV0"
	    "OzclOyU_JXA0JXQ7NSU7JT8lcDUldDsyJTslPyVwNiV0OzElO20lPyVwOSV0DiVlDyU7ABtIAAkAG1tHACsr"
	    "LCwtLS4uMDBgYGFhZmZnZ2hoaWlqamtrbGxtbW5ub29wcHFxcnJzc3R0dXV2dnd3eHh5eXp6e3t8fH19fn4A"
	    "GwkAG1s_N2gAG1s_N2wAGykwABtbNH4AGgAbWzIzfgAbWzI0fgAbWzI1fgAbWzI2fgAbWzI4fgAbWzI5fgAb"
	    "WzMxfgAbWzMyfgAbWzMzfgAbWzM0fgAbWzFLABtbJWklZDslZFIAG1s2bgAbWz82YwAbW2MAG1szOTs0OW0A"
	    "G11SABtdUCVwMSV4JXAyJXsyNTV9JSolezEwMDB9JS8lMDJ4JXAzJXsyNTV9JSolezEwMDB9JS8lMDJ4JXA0"
	    "JXsyNTV9JSolezEwMDB9JS8lMDJ4ABtbTQAbWzMlcDElZG0AG1s0JXAxJWRtABtbMTFtABtbMTBtAA==" },
	{ "vt100",
	    "b64:GgEsABcABwApAUQCdnQxMDB8dnQxMDAtYW18REVDIFZUMTAwICh3L2FkdmFuY2VkIHZpZGVvKQAAAQAA"
	    "AQAAAAAAAAAAAAEAAAAAAAEAAQBQAAgAGAD_______8DAP__AAACAAQAFQAaACYALgD_____NwBMAE4A__9S"
	    "AP____9UAP__XAD_____________ZABmAG8A________________eACBAIoA__-TAJUA________ngCmAP__"
	    "________________________rgD_____________sAD_______-"
	    "0ALgAvADAAMQAyADMANAA1ADYANwA________4AD________kAP_______-gA7AD0AP___AD__wABBAEIAf_"
	    "___________________________8MAf_______xUBHgH__ycB________MAE1AToB_____z8B_____1cB__9"
	    "aAV0BXwFmAbIB__-"
	    "1Af__________twG7Ab8BwwHHAf_____LAf___________gEEAv____8KAv_______________________xE"
	    "C___________________________________________________________________________________"
	    "____________________________________________________________________________________"
	    "____________________________________________________________________________________"
	    "_______________________8VAv_________________________________________________________"
	    "___8eAikCLgJBAgcADQAbWyVpJXAxJWQ7JXAyJWRyABtbM2cAG1tIG1tKJDw1MD4AG1tLJDwzPgAbW0okPDU"
	    "wPgAbWyVpJXAxJWQ7JXAyJWRIJDw1PgAKABtbSAAIABtbQyQ8Mj4AG1tBJDwyPgAOABtbNW0kPDI-"
	    "ABtbMW0kPDI-ABtbN20kPDI-ABtbN20kPDI-ABtbNG0kPDI-AA8AG1ttDyQ8Mj4AG1ttJDwyPgAbW20kPDI-"
	    "AAgAG09CABtPeQAbT1AAG094ABtPUQAbT1IAG09TABtPdAAbT3UAG092ABtPbAAbT3cAG09EABtPQwAbT0EA"
	    "G1s_MWwbPgAbWz8xaBs9AHBmMQBwZjIAcGYzAHBmNAAbWyVwMSVkQgAbWyVwMSVkRAAbWyVwMSVkQwAbWyVw"
	    "MSVkQQAbWzBpABtbNGkAG1s1aQAbPBs-"
	    "G1s_Mzs0OzVsG1s_Nzs4aBtbcgAbOAAbNwAKABtNJDw1PgAbWzAlPyVwMSVwNiV8JXQ7MSU7JT8lcDIldDs0"
	    "JTslPyVwMSVwMyV8JXQ7NyU7JT8lcDQldDs1JTttJT8lcDkldA4lZQ8lOyQ8Mj4AG0gACQAbT3EAG09zABtP"
	    "cgAbT3AAG09uAGBgYWFmZmdnampra2xsbW1ubm9vcHBxcXJyc3N0dHV1dnZ3d3h4eXl6ent7fHx9fX5-"
	    "ABtbPzdoABtbPzdsABsoQhspMAAbT00AG1sxSyQ8Mz4AG1slaSVkOyVkUgAbWzZuABtbPyVbOzAxMjM0NTY3"
	    "ODldYwAbWgA=" },
};

/* A terminal of these families understands the entry of the first. */
static const struct {
	const char	*prefix, *name;
} families[] = {
	{ "screen", "screen" }, { "tmux", "tmux" }, { "linux", "linux" }, { "vt", "vt100" },
	{ "xterm", "xterm" },
};

static const struct terminal_entry *
find_entry(const char *name)
{
	for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
		if (strcmp(entries[i].name, name) == 0)
			return &entries[i];
	return NULL;
}

const char *
entries_find(const char *type, const char **name)
{
	const struct terminal_entry	*e = type != NULL ? find_entry(type) : NULL;

	if (type != NULL && e == NULL && strstr(type, "256color") != NULL)
		e = find_entry("xterm-256color");
	for (size_t i = 0; type != NULL && e == NULL && i < sizeof families / sizeof *families; i++)
		if (strncmp(type, families[i].prefix, strlen(families[i].prefix)) == 0)
			e = find_entry(families[i].name);
	if (e == NULL)
		return NULL;
	*name = e->name;
	return e->text;
}
