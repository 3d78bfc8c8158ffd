import type { Instant } from '@nodewright/apis';
import { lintManifests } from '@nodewright/lint';
import type { CliContext } from '../../terminal/context.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { reportFindings, type ReportedFinding } from './lint-report.ts';
import { type LocatedManifest, readLocatedManifests } from './located-manifests.ts';
import { printFindingLine } from './print-report.ts';

export type LintQuestion = {
  /** Files and folders. Standard input, which can be read once, is left out. */
  readonly paths: readonly string[];
  readonly now: Instant;
  readonly kubernetesVersion?: string;
};

/**
 * Tells on stderr, a line each, which errors and warnings `nodewright lint` has about manifests that another command takes.
 * That command complains about what cannot be read.
 */
export function tellLintFindings({ process }: CliContext, question: LintQuestion): void {
  const found = findLintProblems(question);
  for (const finding of found) process.stderr.write(`${printFindingLine(finding)}\n`);
  if (found.length > 0) process.stderr.write('why, and what to write instead: nodewright lint -f FILE\n');
}

export function findLintProblems({ paths, now, kubernetesVersion }: LintQuestion): readonly ReportedFinding[] {
  const files = paths.filter((path) => path !== '-');
  const manifests = [...new Set(files)].flatMap(locateIfReadable);
  const objects = manifests.map(({ object }) => object);
  const findings = lintManifests(objects, { now, ...(kubernetesVersion !== undefined && { kubernetesVersion }) });
  return reportFindings(manifests, findings).findings.filter(({ severity }) => severity !== 'note');
}

function locateIfReadable(path: string): readonly LocatedManifest[] {
  try {
    return readLocatedManifests([path]).manifests;
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}
