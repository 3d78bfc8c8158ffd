import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogueFrom, writtenProblem } from '@nodewright/engine';
import type { SolutionFile } from '@nodewright/engine';
import type { Context } from '../context.ts';
import { InputError, NotNowError } from '../exit-status.ts';
import { writeAnswer } from '../output.ts';
import { builtInTypes } from '../simulation/built-in-types.ts';
import { manifestProblem, nodeClassIn } from '../simulation/manifest-problem.ts';
import type { ManifestProblem } from '../simulation/manifest-problem.ts';
import { readCluster, readManifests } from '../simulation/manifest-source.ts';
import { printedSolution } from '../simulation/print-solution.ts';
import { isFolder, problemFilesIn, problemName, readInstanceTypes, readProblem } from '../simulation/problem-source.ts';
import { solve, solveFile } from '../simulation/solve-problem.ts';
import type { Solved, SolvingStats } from '../simulation/solve-problem.ts';
import type { SimulateFlags } from './simulate-flags.ts';

export async function simulate(this: Context, flags: SimulateFlags): Promise<void> {
  const { problem } = flags;
  if (problem !== undefined && isFolder(problem)) return solveFolder(problem, flags);
  const { solution, stats } = problem === undefined ? await solveManifests(flags) : solveFile(readProblem(problem));
  if (flags.stats !== undefined) writeStats(flags.stats, stats);
  writeAnswer(this, flags.output, { object: answerOf(solution), text: printedSolution(solution) });
  const { length } = solution.errors;
  if (length > 0) throw new NotNowError(`${length} ${length === 1 ? 'pod has' : 'pods have'} no place`);
}

async function solveManifests(flags: SimulateFlags): Promise<Solved> {
  const { problem, ignored } = await problemOfManifests(flags);
  if (flags.saveProblem !== undefined) writeFileSync(flags.saveProblem, `${JSON.stringify(writtenProblem(problem))}\n`);
  const { solution, stats } = solve(problem);
  const errors = ignored.map(({ pod, message }) => ({
    pod: `${pod.metadata.namespace ?? 'default'}/${pod.metadata.name}`,
    message,
  }));
  const all = [...solution.errors, ...errors].toSorted((a, b) => (a.pod < b.pod ? -1 : 1));
  return { solution: { ...solution, errors: all }, stats };
}

async function problemOfManifests(flags: SimulateFlags): Promise<ManifestProblem> {
  if (flags.file === undefined && flags.kubeconfig === undefined) {
    throw new InputError(
      'nothing to simulate: give manifests with -f FILE, a cluster with --kubeconfig FILE, or --problem FILE',
    );
  }
  const objects = [
    ...readManifests(flags.file ?? []),
    ...(flags.kubeconfig === undefined ? [] : await readCluster(flags.kubeconfig)),
  ];
  const given = flags.instanceTypes === undefined ? undefined : catalogueFrom(readInstanceTypes(flags.instanceTypes));
  return manifestProblem({
    objects,
    instanceTypes: given?.instanceTypes ?? (await builtInTypes(nodeClassIn(objects))),
    options: {
      preferencePolicy: flags.ignorePreferences ? 'Ignore' : 'Respect',
      minValuesPolicy: 'Strict',
      ...(given === undefined ? {} : { wellKnownLabels: given.wellKnownLabels }),
    },
    ...(flags.removeNode === undefined ? {} : { removeNode: flags.removeNode }),
  });
}

/** Solves every problem of a folder in this process; solutions have the names of their problems. */
function solveFolder(folder: string, { out, stats }: SimulateFlags): void {
  if (out === undefined) throw new InputError(`${folder} is a folder: say with --out DIR where the solutions go`);
  mkdirSync(out, { recursive: true });
  const took: Record<string, SolvingStats> = {};
  for (const path of problemFilesIn(folder)) {
    const solved = solveFile(readProblem(path));
    took[problemName(path)] = solved.stats;
    writeFileSync(join(out, `${problemName(path)}.json`), json(solved.solution));
  }
  if (stats !== undefined) writeStats(stats, took);
}

const writeStats = (path: string, stats: SolvingStats | Readonly<Record<string, SolvingStats>>): void =>
  writeFileSync(path, `${JSON.stringify(stats)}\n`);

const answerOf = (solution: SolutionFile) => ({ kind: 'SchedulingSolution', ...solution });

const json = (solution: SolutionFile): string =>
  `${JSON.stringify({ apiVersion: 'nodewright.dev/v1alpha1', ...answerOf(solution) })}\n`;
