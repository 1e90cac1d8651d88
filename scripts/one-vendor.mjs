/** For what runs in a client of one vendor alone: the rows of other vendors' models would be read at every start and never be asked for. */
export const oneVendor = {
  name: "one-vendor",
  setup(setup) {
    setup.onLoad({ filter: /[/\\]src[/\\]models[/\\]other-vendors\.ts$/ }, () => ({
      contents: "export const OTHER_VENDORS = [];",
      loader: "ts",
    }));
  },
};
