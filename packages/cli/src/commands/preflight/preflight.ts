import { isBlocked, preflightUpgrade } from '@nodewright/forecast';
import { seededRandom } from '@nodewright/runtime';
import { withWorld } from '../../reading/read-world.ts';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import type { PreflightFlags } from './flags.ts';
import { printPreflight } from './print-preflight.ts';

export async function runPreflight(this: CliContext, flags: PreflightFlags): Promise<void> {
  const report = await withWorld(flags, (world) => {
    if (world.clusterName === '')
      throw new InputError('which cluster is it? Set CLUSTER_NAME to the name that EKS has for it');
    const sources = { ...world, random: seededRandom(1) };
    return preflightUpgrade(sources, flags.kubernetesVersion, new AbortController().signal);
  });
  writeAnswer(this, flags.output, { object: { kind: 'PreflightReport', ...report }, text: printPreflight(report) });
  const blocked = report.findings.filter(isBlocked).length;
  const verb = blocked === 1 ? 'stands' : 'stand';
  if (blocked > 0) throw new NotNowError(`${blocked} of ${report.findings.length} checks ${verb} against ${report.to}`);
}
