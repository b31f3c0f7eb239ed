/** The cursor of the next page, from the Link header; undefined at the end. */
export const nextCursor = (response: Response): string | undefined => {
  const next = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return next === undefined
    ? undefined
    : (new URL(next, location.href).searchParams.get('cursor') ?? undefined);
};
