/** The part of fs-native-extensions that is used here; the package brings no types. */
declare module 'fs-native-extensions' {
  /**
   * Takes a lock of the kernel on an open file; false where another open file has one that stands in its way.
   *
   * @param descriptor one that can be written, but for a lock that is shared.
   * @param offset where it begins; with the length absent, all of the file.
   */
  export const tryLock: (
    descriptor: number,
    offset?: number,
    length?: number,
    options?: { readonly shared: boolean },
  ) => boolean;
  /** Takes such a lock as soon as that is possible. */
  export const waitForLock: (
    descriptor: number,
    offset: number,
    length: number,
    options: { readonly shared: boolean },
  ) => Promise<void>;
  export const waitForLockSync: (descriptor: number, offset: number, length: number) => void;
  /** Gives back what is locked of such a part. */
  export const unlock: (descriptor: number, offset: number, length: number) => void;
}
