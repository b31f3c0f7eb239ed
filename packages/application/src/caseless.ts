/**
 * A text in the form in which it is compared in any letter case, by the mappings of Unicode, which are of no language:
 * `ß` is as `SS`, all three sigmas are one, and an accent is the same composed or on its own. Upper case comes last,
 * since in lower case the form of a sigma depends on what is around it.
 */
export const caseless = (text: string): string =>
  text.normalize('NFD').toLowerCase().toUpperCase().normalize('NFC');
