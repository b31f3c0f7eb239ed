/** Why a change is made, as a header: kept with the change for good. */

export const MAX_REASON = 200;

/** @returns nothing where no reason is given; what is no printable ASCII as a Display String of RFC 9651. */
export const reasonHeader = (reason: string): { readonly 'Change-Reason'?: string } => {
  const text = reason.trim();
  if (text === '') return {};
  const isPlain = /^[\x20-\x7e]+$/.test(text) && !text.startsWith('%"');
  return { 'Change-Reason': isPlain ? text : `%"${encodeURIComponent(text)}"` };
};
