import icon from '../icon.svg'

/** The name of the product with its sign. */
export function Brand() {
  return (
    <span className="brand">
      <img src={icon} alt="" width="22" height="22" />
      Slipway
    </span>
  )
}
