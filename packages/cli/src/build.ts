/** The version of this release. */
export const version = '0.1.0';

/** The commit this bundle was built from, for a logger; nothing when running from sources. */
export const builtFrom = (): { readonly commit?: string } => {
  const commit = process.env.NODEWRIGHT_COMMIT ?? '';
  return commit === '' ? {} : { commit };
};
