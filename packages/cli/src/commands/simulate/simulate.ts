import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type KubernetesObject, writeOwn } from '@nodewright/apis';
import { catalogueFrom, writtenProblem, type SchedulingOptions, type SolutionFile } from '@nodewright/engine';
import { chooseCatalogue } from '@nodewright/aws-endpoints';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { readSchedulingSettings, type SchedulingSettings } from '../../controller/scheduling-settings.ts';
import { manifestProblem, type ManifestProblem, type ManifestQuestion } from './manifest-problem.ts';
import { applyManifests, readClusterManifests, readManifests, type SourcedObject } from './manifest-source.ts';
import { offlineWorld } from './offline-world.ts';
import { type SimulationOutlook, outlookOn } from './outlook.ts';
import { printedOutlook } from './print-outlook.ts';
import { printedSolution } from './print-solution.ts';
import { isFolder, problemFilesIn, problemName, readInstanceTypes, readProblem } from './problem-source.ts';
import { solveFile, type SolvingStats } from './solve-problem.ts';
import { typesByPool, zonesIn } from './supplies.ts';
import type { SimulateFlags } from './flags.ts';

export async function runSimulation(this: CliContext, flags: SimulateFlags): Promise<void> {
  const { problem } = flags;
  checkFlags(flags);
  if (problem !== undefined && isFolder(problem)) return solveFolder(problem, flags);
  const { answer, text, stats } =
    problem === undefined ? await foreseen(this, flags) : solvedProblem(problem, readProblem(problem));
  if (flags.stats !== undefined) writeStats(flags.stats, stats);
  writeAnswer(this, flags.output, { object: answerOfSimulation(answer), text });
  const { length } = answer.errors;
  if (length > 0) throw new NotNowError(`${length} ${length === 1 ? 'pod has' : 'pods have'} no place`);
}

/** A problem says all of itself: what changes manifests or their reading has no part in it. */
function checkFlags(flags: SimulateFlags): void {
  if (flags.problem === undefined) {
    if (flags.out !== undefined) throw new InputError('--out goes with --problem DIR');
    return;
  }
  const { problem: _, out: _out, stats: _stats, output: _output, ignorePreferences, ...others } = flags;
  const [besides] = Object.entries(others).filter(([, value]) => value !== undefined);
  if (besides === undefined && !ignorePreferences) return;
  const name = besides?.[0] ?? 'ignorePreferences';
  const flag = `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;
  throw new InputError(`${flag} does not go with --problem: a problem has its own options, pools and pods`);
}

type Answered = { readonly answer: SolutionFile; readonly text: string; readonly stats: SolvingStats };

function solvedProblem(path: string, file: ReturnType<typeof readProblem>): Answered {
  const { solution, stats } = solveFile(file, path);
  return { answer: solution, text: printedSolution(solution), stats };
}

async function foreseen(
  context: CliContext,
  flags: SimulateFlags,
): Promise<Answered & { readonly answer: SimulationOutlook }> {
  const manifests = await problemOfManifests(context, flags);
  if (flags.saveProblem !== undefined) save(flags.saveProblem, manifests);
  const { outlook, stats } = outlookOn(manifests);
  return { answer: outlook, text: printedOutlook(outlook), stats };
}

const save = (path: string, { problem }: ManifestProblem): void =>
  writeFileSync(path, `${JSON.stringify(writtenProblem(problem))}\n`);

async function problemOfManifests(context: CliContext, flags: SimulateFlags): Promise<ManifestProblem> {
  if (flags.file === undefined && flags.kubeconfig === undefined) {
    throw new InputError(
      'nothing to simulate: give manifests with -f FILE, a cluster with --kubeconfig FILE, or --problem FILE',
    );
  }
  const settings = readSchedulingSettings(flags, {});
  const written = readManifests(flags.file ?? []);
  const cluster = flags.kubeconfig === undefined ? undefined : await readClusterManifests(flags.kubeconfig);
  const objects = applyManifests(
    written.map(({ object }) => object),
    cluster?.objects ?? [],
  );
  const { remarks, assumed, ...supplies } = await suppliesFor(objects, written, flags);
  const assumptions = assumed.map((name) => `EC2NodeClass ${name} is not among the manifests: taken for plain AL2023`);
  for (const remark of [...remarks, ...assumptions]) context.process.stderr.write(`${remark}\n`);
  return manifestProblem({
    objects,
    owners: cluster?.owners ?? [],
    typesOf: supplies.typesOf,
    options: { ...simulationOptions(settings, flags), ...supplies.options },
    defaultSpread: settings.defaultSpread,
    nodeOverlay: settings.nodeOverlay,
    capacityBuffer: settings.capacityBuffer,
    ...(flags.removeNode === undefined ? {} : { removeNode: flags.removeNode }),
  });
}

const simulationOptions = ({ options }: SchedulingSettings, { ignorePreferences }: SimulateFlags): SchedulingOptions =>
  ignorePreferences ? { ...options, preferencePolicy: 'Ignore' } : options;

type Supplies = Pick<ManifestQuestion, 'typesOf'> & {
  readonly options: Pick<SchedulingOptions, 'wellKnownLabels'>;
  readonly assumed: readonly string[];
  readonly remarks: readonly string[];
};

/**
 * What pools could launch.
 * @throws InputError for manifests that an API server would refuse, all at once
 */
async function suppliesFor(
  objects: readonly KubernetesObject[],
  written: readonly SourcedObject[],
  { instanceTypes }: SimulateFlags,
): Promise<Supplies> {
  const given = instanceTypes === undefined ? undefined : catalogueFrom(readInstanceTypes(instanceTypes));
  const world = await offlineWorld(zonesIn(objects), chooseCatalogue(objects));
  const { complaints, remarks } = await world.check(written);
  if (complaints.length > 0) throw new InputError(complaints.join('\n'));
  if (given === undefined) return { ...(await typesByPool(objects, world)), options: {}, remarks };
  const { wellKnownLabels } = given;
  return { typesOf: () => given.instanceTypes, options: { wellKnownLabels }, assumed: [], remarks };
}

/**
 * Solves every problem of a folder in this process; solutions have the names of their problems.
 * @throws InputError with what is wrong with some, when all the others have their solutions
 */
function solveFolder(folder: string, { out, stats }: SimulateFlags): void {
  if (out === undefined) throw new InputError(`${folder} is a folder: say with --out DIR where the solutions go`);
  mkdirSync(out, { recursive: true });
  const took: Record<string, SolvingStats> = {};
  const wrong: string[] = [];
  for (const path of problemFilesIn(folder)) {
    try {
      const solved = solveFile(readProblem(path), path);
      writeOwn(took, problemName(path), solved.stats);
      writeFileSync(join(out, `${problemName(path)}.json`), printSolutionJson(solved.solution));
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      wrong.push(error.message);
    }
  }
  if (stats !== undefined) writeStats(stats, took);
  if (wrong.length > 0) throw new InputError(wrong.join('\n'));
}

const writeStats = (path: string, stats: SolvingStats | Readonly<Record<string, SolvingStats>>): void =>
  writeFileSync(path, `${JSON.stringify(stats)}\n`);

const answerOfSimulation = (solution: SolutionFile) => ({ kind: 'SchedulingSolution', ...solution });

const printSolutionJson = (solution: SolutionFile): string =>
  `${JSON.stringify({ apiVersion: 'nodewright.dev/v1alpha1', ...answerOfSimulation(solution) })}\n`;
