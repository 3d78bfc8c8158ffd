import { byTextOf, type EC2NodeClass, kubernetesLabels, type StatusAmi } from '@nodewright/apis';
import { type ImageReport, printImageTerm, type ReportedImage } from './image-report.ts';

type StoredSubject = {
  readonly kubernetesVersion: string;
  /** How many nodes run each image, by id. */
  readonly nodes: ReadonlyMap<string, number>;
};

/**
 * What the cluster alone tells of the images of a NodeClass, where AWS does not answer: those of its status, and those of its
 * nodes. There are no dates, and nothing newer is known.
 */
export function reportStoredImages(
  { metadata, spec, status }: EC2NodeClass,
  { kubernetesVersion, nodes }: StoredSubject,
): ImageReport {
  // One image may stand there several times, for machines of several kinds.
  const amis = new Map((status?.amis ?? []).map((ami) => [`${ami.id} ${readArch(ami)}`, ami]));
  const launched = [...amis.values()].map((ami) => reportStatusImage(ami, nodes.get(ami.id) ?? 0));
  const known = new Set(launched.map(({ id }) => id));
  const others = [...nodes].filter(([id]) => !known.has(id)).map(([id, count]) => reportNodeImage(id, count));
  return {
    name: metadata.name,
    kubernetesVersion,
    terms: spec.amiSelectorTerms.map(printImageTerm),
    ...(launched.length === 0 ? { problem: 'its status names no image' } : {}),
    advice: ['AWS does not answer here: when images were published, and whether newer ones are out, is not known'],
    images: [...launched, ...others.toSorted(byTextOf(({ id }) => id))],
  };
}

const readArch = ({ requirements }: StatusAmi): string | undefined =>
  requirements.find(({ key }) => key === kubernetesLabels.arch)?.values?.[0];

function reportStatusImage(ami: StatusAmi, nodes: number): ReportedImage {
  const { id, name = '' } = ami;
  const release = /-(v\d[\w.]*)(?:-[0-9a-f]+)?$/.exec(name)?.[1];
  const arch = readArch(ami);
  return {
    id,
    name,
    ...(release === undefined ? {} : { release }),
    ...(arch === undefined ? {} : { arch }),
    state: 'selected',
    because: 'the status of the NodeClass names it: new nodes get it',
    nodes,
  };
}

const reportNodeImage = (id: string, nodes: number): ReportedImage => ({
  id,
  name: '',
  state: 'unselected',
  because: 'nodes run it, and the status of the NodeClass does not name it now',
  nodes,
});
