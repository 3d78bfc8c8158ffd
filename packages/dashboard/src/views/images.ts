import { byTextOf, type EC2NodeClass } from '@nodewright/apis';
import { explainNodeClass, listNewerImages } from '../explain/explain-node-class.ts';
import type { ImageReport, ReportedImage } from '../images/image-report.ts';
import { selectTellingImages } from '../images/telling-images.ts';
import type { ImageRow, NodeClassRow } from '../rows/dashboard-rows.ts';

/** The images of all NodeClasses that are launched, run by a node, or among the newest. By id. */
export function viewImages(reports: readonly ImageReport[]): readonly ImageRow[] {
  return reports
    .flatMap(({ name, images }) => selectTellingImages(images).map((image) => viewImage(name, image)))
    .toSorted(byTextOf(({ id }) => id));
}

const viewImage = (nodeClass: string, image: ReportedImage): ImageRow => {
  const {
    id,
    name,
    release,
    variant,
    arch,
    publishedAt = image.firstSeenAt ?? image.createdAt,
    state,
    because,
  } = image;
  return {
    id: [nodeClass, id, variant ?? '', arch ?? ''].join('|'),
    nodeClass,
    image: id,
    name,
    ...(release === undefined ? {} : { release }),
    ...(variant === undefined ? {} : { variant }),
    ...(arch === undefined ? {} : { arch }),
    ...(publishedAt === undefined ? {} : { publishedAt }),
    state,
    because,
    nodes: image.nodes,
  };
};

/** What each NodeClass selects, and why nothing newer. By id. */
export function viewNodeClasses(
  nodeClasses: readonly EC2NodeClass[],
  reports: readonly ImageReport[],
): readonly NodeClassRow[] {
  return nodeClasses
    .flatMap((nodeClass): readonly NodeClassRow[] => {
      const report = reports.find(({ name }) => name === nodeClass.metadata.name);
      return report === undefined ? [] : [viewNodeClass(nodeClass, report)];
    })
    .toSorted(byTextOf(({ id }) => id));
}

function viewNodeClass(nodeClass: EC2NodeClass, report: ImageReport): NodeClassRow {
  const { answer, reasons, changesAt, change } = explainNodeClass(nodeClass, report);
  return {
    id: report.name,
    terms: report.terms,
    kubernetesVersion: report.kubernetesVersion,
    answer,
    reasons,
    newer: listNewerImages(report),
    isStuck: report.problem !== undefined,
    ...(changesAt === undefined ? {} : { changesAt }),
    ...(change === undefined ? {} : { change }),
    explain: `nodeclass/${report.name}`,
  };
}
