import {
  type AmiSelectorTerm,
  type EC2NodeClass,
  instant,
  type Instant,
  nodewrightAnnotations,
  toTimestamp,
  byTextOf,
  byNumberOf,
  hours,
  minutes,
  seconds,
} from '@nodewright/apis';
import { buildNodeClassImageQuery, decideImages, type ImageDecision } from '@nodewright/engine';
import { readNodeClassImages } from '@nodewright/operator';
import { createAwsClients, createAwsCloud, inProcessRequestHandler } from '@nodewright/provider-aws';
import { type HttpRequest, type Random, type RequestHandler, virtualTime } from '@nodewright/runtime';
import { createAws, historyOf } from '@nodewright/aws-endpoints';
import { imageTable, isTagged, type Row } from './image-table.ts';
import { minors, randomHistory, type Recorded } from './random-history.ts';

/** What AWS changed so lately need not be seen yet: parameters of one's own are believed for five minutes. */
const unsureMs = minutes(6);
const region = 'us-east-1';
const never = new AbortController().signal;

export type ReplayTraits = {
  readonly random: Random;
  readonly start: Instant;
  readonly days: number;
  readonly termsOf: (recorded: readonly Recorded[]) => Readonly<Record<string, readonly AmiSelectorTerm[]>>;
};

export type ReplayedRow = { readonly at: string; readonly name: string; readonly seen: Row; readonly expected: Row };

/** What a replay showed: every row of the table beside what the product chose, and what it did not foresee. */
export type Replay = {
  readonly rows: readonly ReplayedRow[];
  readonly unforeseen: readonly string[];
  readonly lives: number;
};

/** Lives through a random history with several NodeClasses side by side, a control-plane upgrade and restarts in the middle. */
export async function replay({ random, start, days, termsOf }: ReplayTraits): Promise<Replay> {
  const recorded = randomHistory({ random: random.fork('history'), start, days });
  const mayList = random.next() < 0.7;
  const world = anAccount({ random, start, recorded, mayList });
  const upgradeAt = instant(start + Math.floor((0.3 + random.next() * 0.4) * days) * hours(24));
  const history = { recorded, mayList, upgradeAt };
  const watched = Object.entries(termsOf(recorded)).map(([name, terms]) => watchedClass(name, terms, history));
  const due = lookingTimes({ random, start, days }).map((at) => ({ at, who: watched }));
  for (let next = due.shift(); next !== undefined; next = due.shift()) {
    const { at, who } = next;
    await world.until(at);
    if (random.next() < 0.05) world.restart();
    if (hasChanges(recorded, instant(at - unsureMs), at)) continue;
    for (const each of who) {
      await each.look(world, at);
      const end = each.changesAt();
      const around = end === undefined ? [] : [instant(end - 1000), end];
      const coming = due[0]?.at ?? 0;
      due.push(...around.filter((soon) => at < soon && soon < coming).map((soon) => ({ at: soon, who: [each] })));
    }
    due.sort(byNumberOf(({ at }) => at));
  }
  return {
    rows: watched.flatMap(({ rows }) => rows),
    unforeseen: watched.flatMap(({ unforeseen }) => unforeseen),
    lives: world.lives(),
  };
}

type Account = ReturnType<typeof anAccount>;
type Look = { readonly decision: ImageDecision; readonly row: Row; readonly at: Instant };
type History = {
  readonly recorded: readonly Recorded[];
  readonly mayList: boolean;
  readonly upgradeAt: Instant;
};

/** One NodeClass, looked at again and again beside the table. */
function watchedClass(name: string, terms: readonly AmiSelectorTerm[], history: History) {
  const { recorded, mayList, upgradeAt } = history;
  const [rows, unforeseen]: [ReplayedRow[], string[]] = [[], []];
  const seen = new Map<string, number>();
  let nodeClass = nodeClassOf(name, terms);
  let before: Look | undefined;
  return {
    rows,
    unforeseen,
    changesAt: () => before?.decision.validUntil,
    async look(world: Account, at: Instant): Promise<void> {
      const minor = at < upgradeAt ? minors[0] : minors[1];
      const { decision, annotations } = await world.decide(nodeClass, minor);
      nodeClass = { ...nodeClass, metadata: { ...nodeClass.metadata, annotations } };
      const look = { decision, row: rowOf(decision), at };
      const expected = imageTable({ recorded, terms, minor, now: at, mayList, seen });
      rows.push({ at: toTimestamp(at), name, seen: look.row, expected });
      if (before !== undefined && !isForeseen(before, look, history)) unforeseen.push(`${name} at ${toTimestamp(at)}`);
      before = look;
    },
  };
}

/** What changes while AWS and the control plane are quiet must have been announced. */
function isForeseen(before: Look, after: Look, { recorded, upgradeAt }: History): boolean {
  if (isSame(before.row, after.row) || hasChanges(recorded, before.at, after.at)) return true;
  const isUpgraded = before.at < upgradeAt && upgradeAt <= after.at;
  const end = before.decision.validUntil;
  return isUpgraded || (end !== undefined && end <= after.at);
}

export const isSame = (a: Row, b: Row): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A look a day, at odd minutes. */
function lookingTimes({ random, start, days }: Pick<ReplayTraits, 'random' | 'start' | 'days'>): Instant[] {
  return Array.from({ length: days }, (_, day) =>
    instant(start + hours(24 * day) + minutes(random.integer(23 * 60)) + seconds(7)),
  );
}

const hasChanges = (recorded: readonly Recorded[], after: Instant, until: Instant): boolean =>
  recorded.some(({ from, release }) =>
    [release.publishedAt, release.promotedAt, release.withdrawnAt, release.recalledAt, release.deprecatedAt]
      .flatMap((text) => (text === undefined ? [] : [Date.parse(text)]))
      .concat(from)
      .some((at) => after < at && at <= until),
  );

const nodeClassOf = (name: string, amiSelectorTerms: readonly AmiSelectorTerm[]): EC2NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name, uid: name, generation: 1 },
  spec: { amiFamily: 'Custom', amiSelectorTerms, subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
});

/** The selection by the machines it is for. */
function rowOf({ selected }: ImageDecision): Row {
  const row: Record<string, string> = {};
  for (const { id, requirements } of selected) {
    const operatorOf = (end: string) => requirements.find(({ key }) => key.endsWith(end))?.operator;
    const arch = requirements.find(({ key }) => key === 'kubernetes.io/arch')?.values?.join() ?? '';
    const [gpu, accelerator] = [operatorOf('gpu-count'), operatorOf('accelerator-count')];
    const kind =
      gpu === 'Exists' ? 'gpu' : accelerator === 'Exists' ? 'accelerator' : gpu === undefined ? 'any' : 'plain';
    row[`${arch} ${kind}`] = id;
  }
  return Object.fromEntries(Object.entries(row).toSorted(byTextOf(([name]) => name)));
}

type AccountTraits = {
  readonly random: Random;
  readonly start: Instant;
  readonly recorded: readonly Recorded[];
  readonly mayList: boolean;
};

/** An AWS account that lives through a history, and the operator's eyes on it. */
function anAccount({ random, start, recorded, mayList }: AccountTraits) {
  const time = virtualTime(start);
  const aws = createAws({
    clock: time.clock,
    random: random.fork('aws'),
    region,
    zones: ['us-east-1a'],
    clusterName: 'demo',
    kubernetesVersion: minors[0],
    onControlPlaneVersion: () => {},
    clusterEndpoint: () => 'https://cluster.invalid',
    clusterCertificateAuthority: () => 'ca',
    releases: historyOf(recorded.filter(({ from }) => from === 0).map(({ release }) => release)),
    machines: { launched: () => {}, stopping: () => {}, behaves: () => {} },
  });
  for (const { release } of recorded) if (isTagged(release)) aws.ec2.tags.add(release.imageId, { team: 'a' });
  for (const { from, release } of recorded) if (from > 0) time.clock.at(from, () => aws.releases.publish(release));
  const born = () =>
    createAwsCloud({
      clock: time.clock,
      gate: time.gate,
      random: random.fork('cloud'),
      clusterName: 'demo',
      region,
      clients: createAwsClients({
        region,
        requestHandler: inProcessRequestHandler(time.gate, mayList ? aws.handle : withoutListing(aws.handle)),
      }),
    });
  let [cloud, lives] = [born(), 1];
  return {
    until: (at: Instant) => time.run(at),
    lives: () => lives,
    restart(): void {
      [cloud, lives] = [born(), lives + 1];
    },
    /** The decision of the controller, which `nodewright images` has to agree with, and what is remembered of it. */
    async decide(nodeClass: EC2NodeClass, minor: string) {
      const now = time.clock.now();
      const reading = await time.finish(
        readNodeClassImages(nodeClass, { cloud, now, kubernetesVersion: minor }, never),
      );
      const query = buildNodeClassImageQuery(nodeClass, minor);
      const { images } = await time.finish(cloud.nodeClasses.images(query, never));
      const { firstSeen } = reading;
      const decision = decideImages({ query, images, firstSeen, now });
      if (JSON.stringify(reading.decision.selected) !== JSON.stringify(decision.selected))
        throw new Error(`nodewright images tells another selection of ${nodeClass.metadata.name} than is launched`);
      const memory = Object.fromEntries([...firstSeen].map(([id, at]) => [id, toTimestamp(at)]));
      return { decision, annotations: { [nodewrightAnnotations.imagesFirstSeen]: JSON.stringify(memory) } };
    },
  };
}

/** An account without the permission to list parameters. */
function withoutListing(handle: RequestHandler): RequestHandler {
  const target = ({ headers }: HttpRequest): string => headers['x-amz-target'] ?? headers['X-Amz-Target'] ?? '';
  const body = Buffer.from(JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }));
  return async (request, signal) =>
    target(request).endsWith('.GetParametersByPath')
      ? { status: 400, headers: { 'content-type': 'application/x-amz-json-1.1' }, body }
      : handle(request, signal);
}
