// Names that the build replaces. No code.
/** True in `npm run dev` and `npm run demo`, where a plain browser may show the window on invented data. */
declare const __DEMO__: boolean;
