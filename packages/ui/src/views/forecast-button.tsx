import type { ForecastStanding, ForeseenChanges } from '@nodewright/dashboard/rows';
import { useState } from 'preact/hooks';
import { tellServer } from '../live/ask-server.ts';

type ForecastProps = {
  readonly standing: ForecastStanding;
  /** What is foreseen now. */
  readonly forecast: ForeseenChanges | undefined;
  readonly onBegin: () => void;
};

/** Has the server foresee the coming hours from the cluster as it is now. The line gets longer when it is done. */
export function ForecastButton({ standing: { isRunning, problem }, forecast, onBegin }: ForecastProps) {
  const [refusal, setRefusal] = useState<string>();
  const begin = (): void => {
    setRefusal(undefined);
    void askForForecast().then((because) => {
      setRefusal(because);
      onBegin();
    });
  };
  const because = refusal ?? problem;
  return (
    <p class="forecast">
      <button type="button" disabled={isRunning} onClick={begin}>
        Forecast the next 24 h
      </button>{' '}
      <span aria-live="polite" class={because === undefined ? 'faint' : 'failed-test'}>
        {isRunning
          ? 'A forecast of the cluster as it is now is being made. It may take minutes; the page goes on meanwhile.'
          : because === undefined
            ? describeForecast(forecast)
            : `No forecast could be made: ${because}`}
      </span>
    </p>
  );
}

const describeForecast = (forecast: ForeseenChanges | undefined): string => {
  if (forecast === undefined) return '';
  const count = forecast.entries.length;
  return `The last forecast expects ${count === 0 ? 'no change' : count === 1 ? '1 change' : `${count} changes`}.`;
};

/** @returns why none is made; `undefined` where one is */
async function askForForecast(): Promise<string | undefined> {
  try {
    const response = await tellServer('/api/forecast', {});
    if (response.ok) return undefined;
    const { error } = (await response.json()) as { readonly error?: string };
    return error ?? `status ${response.status}`;
  } catch {
    return 'no connection';
  }
}
