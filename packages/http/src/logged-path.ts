/** As much of a path as the log shows. */
const MAX_CHARACTERS = 1_024;

/** A key that was put where its id belongs, as when one is to be revoked: of it only the id is shown. */
const key = /(pbk_[0-9A-Za-z]{8}_)[0-9A-Za-z]+/g;

/** A path as it stands in the log. */
export const loggedPath = (path: string): string => path.replaceAll(key, '$1…').slice(0, MAX_CHARACTERS);
