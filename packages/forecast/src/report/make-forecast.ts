import { type ForecastQuestion, runForecast } from '../run/run-forecast.ts';
import type { RunRecord } from '../run/run-record.ts';
import type { ForecastReport } from './forecast-report.ts';
import { summarizeRuns } from './summarize-runs.ts';

/** Runs the question with the seeds 1 to `seeds`, and puts the runs together. */
export async function makeForecast(
  question: ForecastQuestion,
  { seeds, progress }: { readonly seeds: number; readonly progress?: (done: number) => void },
): Promise<ForecastReport> {
  const first = await runForecast(question, 1);
  progress?.(1);
  const further: RunRecord[] = [];
  for (let seed = 2; seed <= seeds; seed += 1) {
    further.push(await runForecast(question, seed));
    progress?.(seed);
  }
  return summarizeRuns(question, [first, ...further]);
}
