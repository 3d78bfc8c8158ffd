import { useLayoutEffect, useState } from 'preact/hooks';

/** What an element measures, also after it gets another size; `undefined` before the page is laid out. */
export function useMeasurement<Measured extends Element>(
  element: { readonly current: Measured | null },
  measure: (element: Measured) => number,
): number | undefined {
  const [measured, setMeasured] = useState<number>();
  useLayoutEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    const look = (): void => setMeasured(measure(current));
    look();
    const observer = new ResizeObserver(look);
    observer.observe(current);
    return () => observer.disconnect();
  }, [element, measure]);
  return measured;
}
