import {
  byText,
  type EC2NodeClass,
  ec2NodeClasses,
  type ImageRule,
  imageRules,
  type Instant,
  kubernetesLabels,
  type NodeClaim,
  nodeClaims,
} from '@nodewright/apis';
import { decideImages, familyOfAlias, findKnownIssues, followsLatest, parsedAlias } from '@nodewright/engine';
import { type ImageReading, readFamilyImages, readNodeClassImages } from '@nodewright/operator';
import type { Cloud } from '@nodewright/ports';
import { selectBootImage } from '@nodewright/requirements';
import { snapshotObjects } from '../snapshot/read-cluster-objects.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { PreflightFinding } from './preflight-finding.ts';

export type ImageCheckSources = {
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'instanceTypes' | 'controlPlane'>;
  readonly snapshot: Snapshot;
  readonly now: Instant;
  readonly to: string;
};

/** Whether every EC2NodeClass finds an image of the new minor for every kind of node that it has. */
export async function checkClassImages(
  sources: ImageCheckSources,
  signal: AbortSignal,
): Promise<readonly PreflightFinding[]> {
  const { kubernetes } = sources.snapshot;
  const rules = snapshotObjects(kubernetes, imageRules);
  const findings: PreflightFinding[] = [];
  for (const nodeClass of snapshotObjects(kubernetes, ec2NodeClasses)) {
    const claims = snapshotObjects(kubernetes, nodeClaims).filter(
      ({ spec }) => spec.nodeClassRef.name === nodeClass.metadata.name,
    );
    findings.push(...(await checkOneClass({ ...sources, nodeClass, claims, rules }, signal)));
  }
  return findings;
}

type ClassQuestion = ImageCheckSources & {
  readonly nodeClass: EC2NodeClass;
  readonly claims: readonly NodeClaim[];
  readonly rules: readonly ImageRule[];
};

async function checkOneClass(question: ClassQuestion, signal: AbortSignal): Promise<readonly PreflightFinding[]> {
  const { nodeClass, cloud, now, rules, to, claims } = question;
  const about = `EC2NodeClass ${nodeClass.metadata.name}`;
  const reading = await readNodeClassImages(nodeClass, { cloud, now, rules, kubernetesVersion: to }, signal);
  const { decision } = reading;
  if (decision.problem !== undefined) {
    const instead = await proposeTerms(question, signal);
    return [{ check: 'image', about, verdict: 'blocked', says: decision.problem.message, instead }];
  }
  const types = await cloud.instanceTypes.list(nodeClass, signal);
  const missing = [...new Set(claims.flatMap(({ metadata }) => metadata.labels?.[kubernetesLabels.instanceType] ?? []))]
    .toSorted(byText)
    .filter((name) => {
      const type = types.find((each) => each.name === name);
      return type !== undefined && selectBootImage(type, decision.selected) === undefined;
    });
  const bad = knownDefects(reading, to);
  const obstacles = [
    ...(missing.length === 0 ? [] : [`finds no image of ${to} for ${missing.join(', ')}, which it runs`]),
    ...(bad === undefined ? [] : [bad]),
  ];
  const found: PreflightFinding[] =
    obstacles.length === 0
      ? [{ check: 'image', about, verdict: 'ok', says: `finds ${describeSelection(reading)} for ${to}` }]
      : [];
  for (const says of obstacles)
    found.push({ check: 'image', about, verdict: 'blocked', says, instead: await proposeTerms(question, signal) });
  return [...found, ...otherMinors(reading, about, to)];
}

const describeSelection = ({ decision, images }: ImageReading): string => {
  const versions = new Map(images.map(({ id, version, name }) => [id, version ?? name]));
  return [...new Set(decision.selected.map(({ id }) => versions.get(id) ?? id))].toSorted(byText).join(', ');
};

/** The selection is one that others have reported harm about. */
function knownDefects({ decision, images, query }: ImageReading, to: string): string | undefined {
  const chosen = new Set(decision.selected.map(({ id }) => id));
  const family = query.terms.flatMap(({ alias }) => (alias === undefined ? [] : (familyOfAlias(alias) ?? [])))[0];
  if (family === undefined) return undefined;
  for (const { id, version } of images) {
    if (version === undefined || !chosen.has(id)) continue;
    const [issue] = findKnownIssues({ family, version }, to);
    if (issue !== undefined) return `selects ${version}: ${issue.what}; see ${issue.source}`;
  }
  return undefined;
}

/** Images by id or name stay what they are: nodes of the older minor go on being launched. */
function otherMinors({ decision, images }: ImageReading, about: string, to: string): readonly PreflightFinding[] {
  const chosen = new Set(decision.selected.map(({ id }) => id));
  const older = images.filter(
    ({ id, kubernetesVersion }) => chosen.has(id) && kubernetesVersion !== undefined && kubernetesVersion !== to,
  );
  return [...new Map(older.map((image) => [image.id, image])).values()].map(({ id, name, kubernetesVersion = '' }) => ({
    check: 'image',
    about,
    verdict: 'attention',
    says: `goes on launching ${id} (${name}), which is made for ${kubernetesVersion}`,
    instead: `name an image of ${to}, or follow the releases of a family with an alias`,
  }));
}

const newerFamily = 'al2023';

/** A pin of a release for the new minor that no rule blocks and no known issue names. */
async function proposeTerms(question: ClassQuestion, signal: AbortSignal): Promise<string> {
  const aliases = question.nodeClass.spec.amiSelectorTerms.flatMap(({ alias }) => alias ?? []);
  const families = new Set([...aliases.map((alias) => parsedAlias(alias).family), newerFamily]);
  for (const family of families) {
    const version = await newestGoodRelease(family, question, signal);
    if (version === undefined) continue;
    const isPinned = aliases.some((alias) => !followsLatest(alias));
    const terms = `amiSelectorTerms: [{alias: ${family}@${isPinned ? version : 'latest'}}]`;
    const isMove = aliases.length > 0 && !aliases.some((alias) => parsedAlias(alias).family === family);
    return isMove ? `${terms}, and user data of that family` : terms;
  }
  return `no release for ${question.to} can be recommended now; wait with the upgrade`;
}

async function newestGoodRelease(
  family: string,
  { cloud, now, rules, to }: ClassQuestion,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { images, query } = await readFamilyImages(family, { cloud, now, rules, kubernetesVersion: to }, signal);
  const amiFamily = familyOfAlias(`${family}@latest`);
  const good = images.filter(
    ({ version, arch }) =>
      version !== undefined &&
      arch === 'amd64' &&
      (amiFamily === undefined || findKnownIssues({ family: amiFamily, version }, to).length === 0),
  );
  const { selected } = decideImages({ query, images: good, rules, now });
  return good.find(({ id }) => selected.some((image) => image.id === id))?.version;
}
