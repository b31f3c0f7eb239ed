export const demo = async (_: {
  url: string;
  key: string | undefined;
  print: (t: string) => void;
}): Promise<void> => {
  await Promise.resolve();
};
