import { byText, type EC2NodeClass, instant, type Instant, minutes } from '@nodewright/apis';
import { claimsOfNodeClass, imageReport, type ImageReport, nodesByImage } from '@nodewright/dashboard';
import {
  type ClusterReading,
  type ImageReading,
  readImageGates,
  readImageRules,
  readNodeClassImages,
} from '@nodewright/operator';
import type { Cloud } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';

export type ImageReadingPorts = {
  readonly client: KubernetesClient;
  readonly cloud: Pick<Cloud, 'nodeClasses' | 'controlPlane'>;
};

type KnownReading = { readonly of: string; readonly until: Instant; readonly reading: ImageReading };

/** So long an answer of AWS about images holds, unless the NodeClass or the images in use change. */
const imagesKeptMs = minutes(5);

/** Reports on the images of NodeClasses, from answers of AWS that are kept for a while. */
export class ImageReadings {
  readonly #sources: ImageReadingPorts;
  readonly #known = new Map<string, KnownReading>();

  constructor(sources: ImageReadingPorts) {
    this.#sources = sources;
  }

  /** @throws Error what AWS answers to the first NodeClass that it refuses */
  async report(
    { nodeClasses, nodeClaims }: Pick<ClusterReading, 'nodeClasses' | 'nodeClaims'>,
    now: Instant,
    signal: AbortSignal,
  ): Promise<readonly ImageReport[]> {
    const reports: ImageReport[] = [];
    for (const nodeClass of nodeClasses) {
      const nodes = nodesByImage(claimsOfNodeClass(nodeClass, nodeClaims));
      const reading = await this.#read(nodeClass, [...nodes.keys()].toSorted(byText), { now, signal });
      reports.push(imageReport(reading, { name: nodeClass.metadata.name, nodes, now }));
    }
    return reports;
  }

  async #read(
    nodeClass: EC2NodeClass,
    inUse: readonly string[],
    { now, signal }: { readonly now: Instant; readonly signal: AbortSignal },
  ): Promise<ImageReading> {
    const { name, resourceVersion = '' } = nodeClass.metadata;
    const of = [resourceVersion, ...inUse].join(' ');
    const known = this.#known.get(name);
    if (known?.of === of && now < known.until) return known.reading;
    const { client, cloud } = this.#sources;
    const rules = await readImageRules(client);
    const gateOf = await readImageGates(client, now);
    const reading = await readNodeClassImages(nodeClass, { cloud, now, rules, gateOf, inUse }, signal);
    this.#known.set(name, { of, until: keepUntil(now), reading });
    return reading;
  }
}

const keepUntil = (now: Instant): Instant => instant(now + imagesKeptMs);
