import { byText, type EC2NodeClass, instant, type Instant, minutes } from '@nodewright/apis';
import {
  claimsOfNodeClass,
  imageReport,
  type ImageReport,
  nodesByImage,
  reportStoredImages,
} from '@nodewright/dashboard';
import {
  type ClusterReading,
  type ImageReading,
  readImageGates,
  readImageRules,
  readNodeClassImages,
} from '@nodewright/operator';
import { type Cloud, CloudError } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { silenceKeptMs } from './aws-silence.ts';

export type ImageReadingPorts = {
  readonly client: KubernetesClient;
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'controlPlane'>;
};

type KnownReading = { readonly of: string; readonly until: Instant; readonly reading: ImageReading };

/** So long an answer of AWS about images holds, unless the NodeClass or the images in use change. */
const imagesKeptMs = minutes(5);

/** What is told of the images of all NodeClasses. */
export type ImageReports = {
  readonly reports: readonly ImageReport[];
  /** What came instead of an answer of AWS: some reports are of the cluster alone, or older. */
  readonly failure?: string;
};

/** Reports on the images of NodeClasses, from answers of AWS that are kept for a while. */
export class ImageReadings {
  readonly #sources: ImageReadingPorts;
  readonly #known = new Map<string, KnownReading>();
  #silence: { readonly until: Instant; readonly failure: string } | undefined;

  constructor(sources: ImageReadingPorts) {
    this.#sources = sources;
  }

  async report(
    { nodeClasses, nodeClaims }: Pick<ClusterReading, 'nodeClasses' | 'nodeClaims'>,
    now: Instant,
    signal: AbortSignal,
  ): Promise<ImageReports> {
    const reports: ImageReport[] = [];
    const failures: string[] = [];
    for (const nodeClass of nodeClasses) {
      const nodes = nodesByImage(claimsOfNodeClass(nodeClass, nodeClaims));
      const answer = await this.#read(nodeClass, [...nodes.keys()].toSorted(byText), { now, signal });
      if (answer.failure !== undefined) failures.push(answer.failure);
      reports.push(
        answer.reading === undefined
          ? reportStoredImages(nodeClass, { nodes, kubernetesVersion: await this.#readKubernetesVersion(signal) })
          : imageReport(answer.reading, { name: nodeClass.metadata.name, nodes, now }),
      );
    }
    const [failure] = failures;
    return { reports, ...(failure === undefined ? {} : { failure }) };
  }

  /** An answer that is too old is better than none. */
  async #read(
    nodeClass: EC2NodeClass,
    inUse: readonly string[],
    moment: ReadingMoment,
  ): Promise<{ readonly reading?: ImageReading; readonly failure?: string }> {
    const { now } = moment;
    const { name, resourceVersion = '' } = nodeClass.metadata;
    const of = [resourceVersion, ...inUse].join(' ');
    const known = this.#known.get(name);
    if (known?.of === of && now < known.until) return { reading: known.reading };
    const older = known === undefined ? {} : { reading: known.reading };
    if (this.#silence !== undefined && now < this.#silence.until) return { ...older, failure: this.#silence.failure };
    try {
      const reading = await this.#ask(nodeClass, inUse, moment);
      this.#known.set(name, { of, until: instant(now + imagesKeptMs), reading });
      return { reading };
    } catch (error) {
      if (!(error instanceof CloudError)) throw error;
      if (error.retry !== 'afterSpecChange')
        this.#silence = { until: instant(now + silenceKeptMs), failure: error.message };
      return { ...older, failure: error.message };
    }
  }

  async #ask(nodeClass: EC2NodeClass, inUse: readonly string[], { now, signal }: ReadingMoment): Promise<ImageReading> {
    const { client, cloud } = this.#sources;
    const rules = await readImageRules(client);
    const gateOf = await readImageGates(client, now);
    return readNodeClassImages(nodeClass, { cloud, now, rules, gateOf, inUse }, signal);
  }

  /** The API server tells it, unless EKS is to be asked. */
  #readKubernetesVersion(signal: AbortSignal): Promise<string> {
    return this.#sources.cloud.controlPlane.kubernetesVersion(signal).catch(() => '(not known)');
  }
}

type ReadingMoment = { readonly now: Instant; readonly signal: AbortSignal };
