import { type ImageReport, type ReportedImage, selectTellingImages } from '@nodewright/dashboard';
import { printedAge } from '@nodewright/dashboard/rows';
import { printTable } from '../../terminal/table.ts';

const header = ['IMAGE', 'RELEASE', 'VARIANT', 'ARCH', 'PUBLISHED', 'FIRST SEEN', 'AGE', 'STATE', 'NODES', 'WHY'];

/** The releases of one NodeClass as a table under a line that says what it selects by. */
export function printReport(report: ImageReport, all: boolean): string {
  const { name, kubernetesVersion, terms, problem, advice, changesAt, change, images } = report;
  const shown = all ? images : selectTellingImages(images);
  const left = images.length - shown.length;
  return [
    `${name}: Kubernetes ${kubernetesVersion}, ${terms.join('; ')}`,
    ...(problem === undefined ? [] : [`  nothing can be launched: ${problem}`]),
    ...advice.map((words) => `  note: ${words}`),
    ...(changesAt === undefined
      ? []
      : [`  changes by itself at ${changesAt}${change === undefined ? '' : `: ${change}`}`]),
    ...(shown.length === 0 ? [] : [printTable(header, shown.map(rowOfImage))]),
    ...(left === 0 ? [] : [`and ${left} older ones; --all shows them`]),
  ].join('\n');
}

const rowOfImage = (image: ReportedImage): readonly string[] => [
  image.id,
  (image.release ?? image.name) || '-',
  image.variant ?? '-',
  image.arch ?? '-',
  image.publishedAt ?? '-',
  image.firstSeenAt ?? '-',
  image.ageSeconds === undefined ? '-' : printedAge(image.ageSeconds),
  image.state,
  String(image.nodes),
  image.because,
];
