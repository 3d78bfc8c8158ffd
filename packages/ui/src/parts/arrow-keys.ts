const arrowSteps: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/** Many links that are one stop of the Tab key: arrows lead from one to the next. */
export const createArrowSteps =
  (selector: string) =>
  (event: KeyboardEvent): void => {
    const step = Object.hasOwn(arrowSteps, event.key) ? (arrowSteps[event.key] ?? 0) : 0;
    if (step === 0 || !(event.currentTarget instanceof Element)) return;
    const stops = [...event.currentTarget.querySelectorAll<HTMLElement | SVGElement>(selector)];
    const next = stops[stops.findIndex((stop) => stop === document.activeElement) + step];
    if (next === undefined) return;
    event.preventDefault();
    next.focus();
  };
