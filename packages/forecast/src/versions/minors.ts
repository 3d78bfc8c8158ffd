/** `29` of `1.29` and of `v1.29.3-eks-5e0fdde`; `undefined` for what is no version. */
export function readMinorNumber(version: string): number | undefined {
  const found = /^v?1\.(\d+)/.exec(version);
  return found?.[1] === undefined ? undefined : Number(found[1]);
}

/** `1.30` for `1.29`. */
export const followingMinor = (version: string): string => `1.${(readMinorNumber(version) ?? 0) + 1}`;
