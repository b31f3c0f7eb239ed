/** The part of fs-native-extensions that is used here; the package brings no types. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive lock of the kernel on an open, writable file; false where another one holds it. */
  export const tryLock: (descriptor: number) => boolean;
}
