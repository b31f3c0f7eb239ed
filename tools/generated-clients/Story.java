/** The story of the README, with a client that OpenAPI Generator makes for Java. */
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.HistoryApi;
import org.openapitools.client.api.PriceBooksApi;
import org.openapitools.client.api.PricesApi;
import org.openapitools.client.model.*;

public class Story {
  interface Call {
    Object run() throws ApiException;
  }

  static void check(boolean ok, String what) {
    if (!ok) throw new AssertionError(what);
  }

  static String problemOf(Call call) {
    try {
      call.run();
    } catch (ApiException error) {
      return error.getCode() + " " + error.getResponseBody().replaceAll(".*\"type\":\"([^\"]*)\".*", "$1");
    }
    throw new AssertionError("there is an answer");
  }

  static ProductItem override(String productId, double amount) {
    var adjustment = new OverrideAdjustment().type(OverrideAdjustment.TypeEnum.OVERRIDE).amount(amount);
    var value = new RequestedAdjustments(new RequestedAdjustment(adjustment));
    return new ProductItem().productId(productId).adjustments(Map.of("USD", value));
  }

  public static void main(String[] args) throws ApiException {
    var client = new ApiClient().setBasePath(System.getenv("PRICEBOOK_URL"));
    client.setApiKey(System.getenv("PRICEBOOK_KEY"));
    var books = new PriceBooksApi(client);
    var prices = new PricesApi(client);
    var history = new HistoryApi(client);

    UUID book = books.createPriceBook(new CreatePriceBook().name("Retail"), null, null).getId();
    var items = new SetProductPrices(List.of(override("lamp", 49.99), override("crane", 1234567.89)));
    check(prices.setProductPrices(book, items, null, null, null).getProductsSet() == 2, "two products");
    check(priceOf(prices, book, "crane", null, null).getPrice() == 1234567.89, "money arrives exactly");

    var percent = new PercentAdjustment().type(PercentAdjustment.TypeEnum.PERCENT).amount(10.0);
    var forAll = new AllProductsAdjustmentsOrNull(new AllProductsAdjustment(percent));
    var all = new AllProducts().productId(AllProducts.ProductIdEnum.ALL).adjustments(Map.of("USD", forAll));
    prices.setProductPrices(book, new SetProductPrices(all), null, null, null);
    var lamp = priceOf(prices, book, "lamp", null, true);
    check(lamp.getPrice() == 54.99, "the percent");
    var entered = lamp.getExplanation().getSteps().get(0).getEntered().getAdjustment();
    check(entered.getOverrideAdjustment().getAmount() == 49.99, "the explanation");

    var yesterday = OffsetDateTime.now().minusDays(1);
    var then = problemOf(() -> priceOf(prices, book, "lamp", yesterday, null));
    check(then.equals("404 /problems/no-price"), "no price yesterday: " + then);

    var lines = List.of(
        new QuoteLine().productId("crane").currency("USD"), new QuoteLine().productId("seat").currency("USD"));
    var quoted = prices.quote(book, lines, null, null);
    check(quoted.get(0).getQuotedPrice().getPrice() == 1358024.68, "a quoted price");
    check(quoted.get(1).getUnpricedLine().getProblem().getType().equals("/problems/no-price"), "no price of a line");

    var entries = history.getPriceBookHistory(book, null, null, null, null, null, null, null);
    check(entries.size() == 3 && entries.get(2).getActualInstance() instanceof AllProductsAdjustedEntry, "the history");
    var periods = history.getPriceHistory(book, "crane", "USD", null, null, null, null, null, null);
    var last = periods.get(periods.size() - 1);
    check(last.getTo() == null && last.getPrice() == 1358024.68, "the period goes on");

    prices.deletePriceBookEntries(book, List.of("lamp"), null, null, null);
    var deleted = problemOf(() -> priceOf(prices, book, "lamp", null, null));
    check(deleted.equals("404 /problems/no-price"), "no price of what is deleted: " + deleted);
    books.deletePriceBook(book, null, null, null);
    var gone = problemOf(() -> books.getPriceBook(book, null, null));
    check(gone.equals("404 /problems/price-book-not-found"), "no deleted book: " + gone);
  }

  static ProductPrice priceOf(PricesApi prices, UUID book, String productId, OffsetDateTime at, Boolean explain)
      throws ApiException {
    return prices.getProductPrice(book, productId, "USD", at, null, explain, null, null, null, null);
  }
}
