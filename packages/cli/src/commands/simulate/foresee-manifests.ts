import type { KubernetesObject } from '@nodewright/apis';
import { catalogueFrom, writtenProblem, type SchedulingOptions } from '@nodewright/engine';
import { chooseCatalogue } from '@nodewright/aws-endpoints';
import type { CliContext } from '../../terminal/context.ts';
import { writeAnswerFile } from '../../terminal/answer-file.ts';
import { InputError } from '../../terminal/exit-status.ts';
import { readSchedulingSettings, type SchedulingSettings } from '../../controller/scheduling-settings.ts';
import type { AnsweredSimulation } from './answered-simulation.ts';
import { manifestProblem, type ManifestProblem, type ManifestQuestion } from './manifest-problem.ts';
import { applyManifests, readClusterManifests, readManifests, type SourcedObject } from './manifest-source.ts';
import { offlineWorld } from './offline-world.ts';
import { type SimulationOutlook, outlookOn } from './outlook.ts';
import { printedOutlook } from './print-outlook.ts';
import { readInstanceTypes } from './problem-source.ts';
import { typesByPool, zonesIn } from './supplies.ts';
import type { SimulateFlags } from './flags.ts';

/** What the controller would launch for manifests, alone or beside those of a cluster. */
export async function foreseeManifests(
  context: CliContext,
  flags: SimulateFlags,
): Promise<AnsweredSimulation & { readonly answer: SimulationOutlook }> {
  const manifests = await problemOfManifests(context, flags);
  if (flags.saveProblem !== undefined) save(flags.saveProblem, manifests);
  const { outlook, stats } = outlookOn(manifests);
  return { answer: outlook, text: printedOutlook(outlook), stats };
}

const save = (path: string, { problem }: ManifestProblem): void =>
  writeAnswerFile('--save-problem', path, `${JSON.stringify(writtenProblem(problem))}\n`);

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
