/** When a minor version of Kubernetes came to EKS and when it leaves. Days of EKS's release calendar. */
export type Minor = {
  readonly version: string;
  readonly released: string;
  readonly standardUntil: string;
  readonly extendedUntil: string;
};

const calendar = `
  1.22 2022-04-04 2023-06-04 2023-06-04
  1.23 2022-08-11 2023-10-11 2024-10-11
  1.24 2022-11-15 2024-01-31 2025-01-31
  1.25 2023-02-22 2024-05-01 2025-05-01
  1.26 2023-04-11 2024-06-11 2025-06-11
  1.27 2023-05-24 2024-07-24 2025-07-24
  1.28 2023-09-26 2024-11-26 2025-11-26
  1.29 2024-01-23 2025-03-23 2026-03-23
  1.30 2024-05-23 2025-07-23 2026-07-23
  1.31 2024-09-26 2025-11-26 2026-11-26
  1.32 2025-01-23 2026-03-23 2027-03-23
  1.33 2025-05-29 2026-07-29 2027-07-29
  1.34 2025-10-02 2026-12-02 2027-12-02
  1.35 2026-01-27 2027-03-27 2028-03-27
  1.36 2026-06-02 2027-08-02 2028-08-02
`;

/** Every minor the sandbox knows, oldest first. */
export const minors: readonly Minor[] = calendar
  .trim()
  .split('\n')
  .map((line) => {
    const [version = '', released = '', standardUntil = '', extendedUntil = ''] = line.trim().split(' ');
    return { version, released, standardUntil, extendedUntil };
  });

export const minorNamed = (version: string): Minor | undefined => minors.find((minor) => minor.version === version);

/** Until when images were built for it: extended support began with 1.24, as far as images go. */
export const imagesUntil = ({ version, standardUntil, extendedUntil }: Minor): string =>
  parseMinorNumber(version) < 24 ? standardUntil : extendedUntil;

/** `29` of `1.29`; 0 of nothing. */
export const parseMinorNumber = (version: string): number => Number(version.split('.')[1] ?? 0);
