import { scenarios } from '@nodewright/sandbox';
import type { CliContext } from '../../terminal/context.ts';
import { type OutputFormat, writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';

export function listScenarios(this: CliContext, { output }: { readonly output?: OutputFormat }): void {
  const items = scenarios.map(({ name, about, kubernetesVersion, startTime }) => ({
    name,
    kubernetesVersion,
    startTime,
    about,
  }));
  const object = { kind: 'ScenarioList', items };
  const rows = items.map(({ name, kubernetesVersion, startTime, about }) => [
    name,
    kubernetesVersion,
    startTime,
    about,
  ]);
  writeAnswer(this, output, {
    object,
    text: printTable(['NAME', 'KUBERNETES', 'START', 'ABOUT'], rows),
  });
}
