/** Why a change is made, as a header: kept with the change for good. */

export const MAX_REASON = 200;

/** @returns nothing where no reason is given; what is no printable ASCII as a Display String of RFC 9651. */
export const reasonHeader = (reason: string): { readonly 'Change-Reason'?: string } => {
  // Half a character has no code to be sent.
  const text = reason.replace(/\p{Surrogate}/gu, '').trim();
  if (text === '') return {};
  const isPlain = /^[\x20-\x7e]+$/.test(text) && !text.startsWith('%"');
  if (isPlain) return { 'Change-Reason': text };
  const encoded = encodeURIComponent(text).replace(/%[\dA-F]{2}/g, (escape) => escape.toLowerCase());
  return { 'Change-Reason': `%"${encoded}"` };
};
