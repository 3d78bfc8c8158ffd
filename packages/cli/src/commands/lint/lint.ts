import { instant, type KubernetesObject } from '@nodewright/apis';
import { lintManifests, lintRules, type LintSeverity, type LintSetting } from '@nodewright/lint';
import { realTime } from '@nodewright/runtime';
import type { CliContext } from '../../terminal/context.ts';
import { exitStatus, InputError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { printTable } from '../../terminal/table.ts';
import { offlineWorld } from '../simulate/offline-world.ts';
import { typesByPool, zonesIn } from '../simulate/supplies.ts';
import type { LintFlags } from './flags.ts';
import { reportFindings } from './lint-report.ts';
import { type LocatedManifest, readLocatedManifests } from './located-manifests.ts';
import { printLintReport } from './print-report.ts';

export async function lintFiles(this: CliContext, flags: LintFlags): Promise<void> {
  if (flags.rules) return writeRules(this, flags);
  if (flags.file === undefined || flags.file.length === 0)
    throw new InputError('nothing to lint: give manifests with -f FILE, -f DIR or -f -');
  const { manifests, remarks } = readLocatedManifests(flags.file);
  for (const remark of remarks) this.process.stderr.write(`${remark}\n`);
  if (manifests.length === 0 && remarks.length > 0)
    throw new InputError(`${flags.file.join(', ')}: there is no manifest in it`);
  const objects = manifests.map(({ object }) => object);
  const findings = lintManifests(objects, await settingFor(this, manifests, flags));
  const report = reportFindings(manifests, findings);
  writeAnswer(this, flags.output, { object: report, text: printLintReport(report) });
  if (report.findings.some(({ severity }) => isAtLeast(severity, flags.failOn)))
    this.process.exitCode = exitStatus.failed;
}

function writeRules(context: CliContext, { output }: LintFlags): void {
  const items = lintRules.map(({ name, severity, about }) => ({ name, severity, about }));
  const rows = items.map(({ name, severity, about }) => [name, severity, about]);
  const object = { kind: 'LintRuleList', items };
  writeAnswer(context, output, { object, text: printTable(['RULE', 'SEVERITY', 'WHAT IT FINDS'], rows) });
}

const order: readonly LintSeverity[] = ['note', 'warning', 'error'];

const isAtLeast = (severity: LintSeverity, least: LintSeverity): boolean =>
  order.indexOf(severity) >= order.indexOf(least);

/**
 * What the rules know beside the manifests.
 * @throws InputError for manifests that an API server would refuse
 */
async function settingFor(
  context: CliContext,
  manifests: readonly LocatedManifest[],
  { at, kubernetesVersion }: LintFlags,
): Promise<LintSetting> {
  const objects: readonly KubernetesObject[] = manifests.map(({ object }) => object);
  const world = await offlineWorld(zonesIn(objects), 'current');
  const { complaints, remarks } = await world.check(manifests);
  if (complaints.length > 0) throw new InputError(complaints.join('\n'));
  for (const remark of remarks) context.process.stderr.write(`${remark}\n`);
  const { typesOf } = await typesByPool(objects, world);
  return {
    now: at === undefined ? realTime().clock.now() : instant(at),
    typesOf,
    ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
  };
}
