import { useEffect, useState } from 'preact/hooks';

/** Waits until typing has paused. */
export const useSettled = (text: string, ms = 150): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => {
      setSettled(text);
    }, ms);
    return () => {
      clearTimeout(timer);
    };
  }, [text, ms]);
  return settled;
};
