import { printTable } from '../../terminal/table.ts';
import type { ImageReport, ReportedImage } from './image-report.ts';

/** Of each variant and architecture people see so many releases; programs get all. */
const mostOfALine = 5;

const header = ['IMAGE', 'RELEASE', 'VARIANT', 'ARCH', 'PUBLISHED', 'FIRST SEEN', 'AGE', 'STATE', 'NODES', 'WHY'];

/** The releases of one NodeClass as a table under a line that says what it selects by. */
export function printReport(report: ImageReport, all: boolean): string {
  const { name, kubernetesVersion, terms, problem, advice, changesAt, change, images } = report;
  const shown = all ? images : images.filter(isTelling(images));
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

/** Selected, run by some node, or among the newest of its line. */
const isTelling = (images: readonly ReportedImage[]) => {
  const lineOf = ({ variant, arch }: ReportedImage): string => `${variant} ${arch}`;
  const newest = new Set(
    [...new Set(images.map(lineOf))].flatMap((line) =>
      images.filter((image) => lineOf(image) === line).slice(0, mostOfALine),
    ),
  );
  return (image: ReportedImage): boolean => image.state === 'selected' || image.nodes > 0 || newest.has(image);
};

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

/** `10d4h`, `3h20m`, `45s`: the two largest units. */
export function printedAge(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
    [1, 's'],
  ] as const;
  const at = units.findIndex(([size]) => Math.abs(seconds) >= size);
  if (at < 0) return '0s';
  let rest = Math.abs(seconds);
  const parts = units.slice(at, at + 2).map(([size, unit]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count === 0 ? '' : `${count}${unit}`;
  });
  return `${seconds < 0 ? '-' : ''}${parts.join('')}`;
}
