import { scenarios } from '@nodewright/sandbox';
import type { CliContext } from '../../terminal/context.ts';
import { type OutputFormat, writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';

export function listScenarios(this: CliContext, { output }: { readonly output?: OutputFormat }): void {
  const items = scenarios.map(({ name, about, kubernetesVersion }) => ({ name, kubernetesVersion, about }));
  const object = { kind: 'ScenarioList', items };
  const rows = items.map(({ name, kubernetesVersion, about }) => [name, kubernetesVersion, about]);
  writeAnswer(this, output, {
    object,
    text: printTable(['NAME', 'KUBERNETES', 'ABOUT'], rows),
  });
}
