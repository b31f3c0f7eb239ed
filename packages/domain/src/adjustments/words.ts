/** A text as it is where it cannot be mistaken for anything else, and in quotes otherwise. */
export const word = (text: string): string =>
  /^[\p{L}\p{N}_./-]+$/u.test(text) ? text : JSON.stringify(text);
