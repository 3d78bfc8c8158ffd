import { releaseFamilies } from '@nodewright/aws-endpoints/release-kinds';
import { type EC2NodeClass, ec2NodeClasses, type NodeClaim, nodeClaims, byTextOf } from '@nodewright/apis';
import { imageReport, type ImageReport, nodesByImage } from '@nodewright/dashboard';
import { type ImageReadingSources, readFamilyImages, readImageGates, readImageRules } from '@nodewright/operator';
import type { CliContext } from '../../terminal/context.ts';
import { InputError, NotNowError } from '../../terminal/exit-status.ts';
import { nodeClassReport } from './node-class-report.ts';
import { printReport } from './print-report.ts';
import { writeAnswer } from '../../terminal/output.ts';
import { type ReadableWorld, withWorld } from '../../reading/read-world.ts';
import type { ImagesFlags } from './flags.ts';

export async function listImages(this: CliContext, flags: ImagesFlags): Promise<void> {
  if (flags.family !== undefined && flags.nodeclass !== undefined)
    throw new InputError('--family and --nodeclass: give one of them');
  const family = flags.family === undefined ? undefined : parseFamily(flags.family);
  const reports = await withWorld(flags, (world) => imageReportsOf(world, flags, family));
  const text = reports.map((report) => printReport(report, flags.all)).join('\n\n');
  const object = { kind: 'ImageList', nodeClasses: reports };
  writeAnswer(this, flags.output, {
    object,
    text: text === '' ? 'no EC2NodeClass in this cluster; --family AL2023 shows the releases of a family' : text,
  });
  const empty = reports.filter(({ problem }) => problem !== undefined).map(({ name }) => name);
  if (empty.length > 0) throw new NotNowError(`nothing can be launched for ${empty.join(', ')}`);
}

async function imageReportsOf(
  world: ReadableWorld,
  flags: ImagesFlags,
  family: ImageFamily | undefined,
): Promise<readonly ImageReport[]> {
  const { kubernetesVersion } = flags;
  const rules = await readImageRules(world.client);
  const gateOf = await readImageGates(world.client, world.now);
  const sources = { ...world, rules, gateOf, ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }) };
  const claims = (await world.client.list(nodeClaims)).items;
  if (family !== undefined) return [await familyReport(family, sources, claims)];
  const reports: ImageReport[] = [];
  for (const nodeClass of await nodeClassesOf(world, flags.nodeclass)) {
    reports.push(await nodeClassReport(nodeClass, sources, claims));
  }
  return reports;
}

/** With every node of the cluster that runs an image of the family, whatever its NodeClass. */
async function familyReport(
  family: ImageFamily,
  sources: ImageReadingSources,
  claims: readonly NodeClaim[],
): Promise<ImageReport> {
  const reading = await readFamilyImages(family.toLowerCase(), sources, new AbortController().signal);
  const ids = new Set(reading.images.map(({ id }) => id));
  const nodes = new Map([...nodesByImage(claims)].filter(([id]) => ids.has(id)));
  return imageReport(reading, { name: family, nodes, now: sources.now });
}

async function nodeClassesOf({ client }: ReadableWorld, name: string | undefined): Promise<readonly EC2NodeClass[]> {
  const all = (await client.list(ec2NodeClasses)).items.toSorted(byTextOf(({ metadata }) => metadata.name));
  if (name === undefined) return all;
  const found = all.find(({ metadata }) => metadata.name === name);
  if (found !== undefined) return [found];
  const there = all.length === 0 ? 'there is none' : `there is ${all.map(({ metadata }) => metadata.name).join(', ')}`;
  throw new InputError(`--nodeclass: no EC2NodeClass ${name}; ${there}`);
}

type ImageFamily = (typeof releaseFamilies)[number];

function parseFamily(text: string): ImageFamily {
  const family = releaseFamilies.find((known) => known.toLowerCase() === text.toLowerCase());
  if (family === undefined)
    throw new InputError(`--family: must be one of ${releaseFamilies.join(', ')}, not "${text}"`);
  return family;
}
