import type { ForecastStanding, ForeseenChanges } from '@nodewright/dashboard/rows';
import { useState } from 'preact/hooks';
import { readServerRefusal, tellServer } from '../live/ask-server.ts';

type ForecastProps = {
  readonly standing: ForecastStanding;
  /** What is foreseen now. */
  readonly forecast: ForeseenChanges | undefined;
  /** It has been begun or cancelled. */
  readonly onChange: () => void;
};

/** Has the server foresee the coming hours from the cluster as it is now. The line gets longer when it is done. */
export function ForecastButton({ standing: { isRunning, problem }, forecast, onChange }: ForecastProps) {
  const [refusal, setRefusal] = useState<string>();
  const ask = (path: string): void => {
    setRefusal(undefined);
    void askForForecast(path).then((because) => {
      setRefusal(because);
      onChange();
    });
  };
  const because = refusal ?? problem;
  return (
    <p class="forecast">
      <button type="button" onClick={() => ask(isRunning ? '/api/forecast/cancel' : '/api/forecast')}>
        {isRunning ? 'Cancel the forecast' : 'Forecast the next 24 h'}
      </button>{' '}
      <span aria-live="polite" class={because === undefined ? 'faint' : 'failed-test'}>
        {isRunning
          ? 'The cluster as it is now is being forecast. That may take minutes; the page goes on meanwhile.'
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
async function askForForecast(path: string): Promise<string | undefined> {
  try {
    const response = await tellServer(path, {});
    return response.ok ? undefined : await readServerRefusal(response);
  } catch {
    return 'no connection';
  }
}
