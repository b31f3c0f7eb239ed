/** What only imports need: loaded with the first file. */

/** @returns undefined where it is out of reach, or not there any more since the service was updated. */
export const loadEngine = async () => {
  try {
    const [{ checkFile }, { compare }, { faultsInFile }] = await Promise.all([
      import('./check-file'),
      import('./compare'),
      import('./faults-in-file'),
    ]);
    return { checkFile, compare, faultsInFile };
  } catch {
    return undefined;
  }
};
