/**
 * The folders and files where the rules about size, width and wording hold already. Temporary: the
 * list grows until it is everything, then it goes.
 */
export const CLEAN_FOLDERS: readonly string[] = ['deploy/local/checks/']
